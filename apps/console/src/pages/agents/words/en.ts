/** Texts of the agents page in English. */
export const en = {
  title: 'Agents',
  empty: 'No agents yet',
  emptyAbout: 'An agent is a Runner of a plugin with a configuration and grants.',
  name: 'Name',
  runner: 'Runner',
  kind: 'Kind',
  state: 'State',
  record: 'Agent',
}
