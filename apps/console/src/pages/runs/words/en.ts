/** Texts of the runs page in English. */
export const en = {
  title: 'Runs',
  empty: 'No runs yet',
  emptyAbout: 'A run begins when an event reaches an agent or a plugin processor. Say something in a chat.',
  goToChats: 'Go to chats',
  status: 'Status',
  input: 'Input',
  by: 'Processor',
  when: 'When',
  record: 'Record',
}
