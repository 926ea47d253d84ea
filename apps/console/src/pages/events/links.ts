/** Where an event can be tried again: the dry run of its bot, the debugger of a processor. Both take it by its id. */

/** For `<Link>`: the bot's page with its dry run open on this event. */
export function dryRunLink(botUuid: string, eventId: string) {
  return { to: '/bots/$botUuid', params: { botUuid }, search: { event: eventId } } as const
}

/** For `<Link>`: the processor's page with its debugger open on this event. */
export function debugLink(processorId: string, eventId: string) {
  return { to: '/agents/$processorId', params: { processorId }, search: { tab: 'debug', from: eventId } } as const
}
