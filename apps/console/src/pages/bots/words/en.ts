/** Texts of the bots page in English. */
export const en = {
  title: 'Bots',
  empty: 'No bots yet',
  emptyAbout: 'A bot is an account on a platform. Add one with runbound apply.',
  name: 'Name',
  platform: 'Platform',
  state: 'State',
  record: 'Bot',
}
