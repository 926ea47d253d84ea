/** The one client of this page: the host that served it, with the browser's session. */
import { type Client, createClient, type EndpointName } from '@runbound/api'

export const client: Client = createClient({ url: location.origin })

/** What an endpoint takes: params, query and body in one object. */
export type Input<N extends EndpointName> = NonNullable<Parameters<Client[N]>[0]>
/** What an endpoint answers. */
export type Output<N extends EndpointName> = Awaited<ReturnType<Client[N]>>

/** Calls an endpoint by its name. ApiError says why not. */
export function call<N extends EndpointName>(name: N, input: Input<N>): Promise<Output<N>> {
  // The client's table has exactly these types, one by one; TypeScript can't follow them through a name it does not know.
  const endpoint = client[name] as (input: Input<N>) => Promise<Output<N>>
  return endpoint(input)
}
