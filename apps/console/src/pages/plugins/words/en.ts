/** Texts of the plugins page in English. */
export const en = {
  title: 'Plugins',
  empty: 'No plugins yet',
  emptyAbout: 'Make one with runbound plugin new, and serve it with runbound dev.',
  name: 'Plugin',
  version: 'Version',
  state: 'State',
  source: 'Source',
  record: 'Plugin',
}
