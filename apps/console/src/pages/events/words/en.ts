/** Texts of the events page in English. */
export const en = {
  title: 'Events',
  empty: 'No events yet',
  emptyAbout: 'Everything that reaches a bot is listed here, with why it was answered or not.',
  goToChats: 'Go to chats',
  type: 'Event',
  text: 'Text',
  why: 'Outcome',
  when: 'When',
  record: 'Event',
}
