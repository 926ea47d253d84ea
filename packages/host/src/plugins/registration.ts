/** The first words on a connection: `register_plugin`, once, before anything else; then every request goes to the gateway. */
import { createPeer, type IncomingRequest, type Peer, type RequestHandler, type Transport } from '@runbound/link'
import { type JsonObject, WireError } from '@runbound/protocol'

/** Requests of a plugin in work at once: its runs may each ask for several things. */
const REQUESTS = 512

export interface Registration {
  readonly container: JsonObject
  readonly prodMode: boolean
  readonly capability: string
  readonly debugKey: string
}

export interface RegisteredPeer {
  readonly peer: Peer
  readonly registration: Registration
}

export interface RegisterOptions {
  readonly transport: Transport
  /** Milliseconds until the first word. */
  readonly timeoutMs: number
  /** Checks who it is, before the plugin is told that it is registered. Throws a WireError that the plugin reads. */
  accept(registration: Registration): void | Promise<void>
  /** After registration. */
  request: RequestHandler
  readonly onNoise: (text: string) => void
  readonly onFault: (fault: { readonly kind: string; readonly detail: string }) => void
}

/** Resolves once the plugin has registered. Rejects when it does not in time, is refused, or goes. */
export function register(options: RegisterOptions): Promise<RegisteredPeer> {
  return new Promise((resolve, reject) => {
    let registered = false
    const handler: RequestHandler = (request) => {
      if (registered) {
        if (request.action === 'register_plugin')
          throw new WireError('conflict', 'This connection has registered already.')
        return options.request(request)
      }
      if (request.action !== 'register_plugin') {
        throw new WireError(
          'not_registered',
          `"${request.action}" came before register_plugin. A plugin registers first.`,
        )
      }
      return first(request)
    }
    const peer = createPeer({
      transport: options.transport,
      handler,
      limits: { requests: REQUESTS },
      onNoise: options.onNoise,
      onFault: options.onFault,
    })
    const timer = setTimeout(
      () => fail(new Error(`it did not register within ${options.timeoutMs / 1000} seconds`)),
      options.timeoutMs,
    )
    void peer.closed.then((why) => fail(new Error(`the connection ended before it registered (${why.detail})`)))

    async function first(request: IncomingRequest): Promise<JsonObject> {
      const registration = registrationOf(request.data)
      try {
        await options.accept(registration)
      } catch (error) {
        queueMicrotask(() => fail(error instanceof Error ? error : new Error(String(error))))
        throw error
      }
      registered = true
      clearTimeout(timer)
      // After this answer is on its way: what is asked of the plugin must not overtake it.
      setImmediate(() => resolve({ peer, registration }))
      return {}
    }

    function fail(error: Error): void {
      clearTimeout(timer)
      if (registered) return
      reject(error)
      // The refusal is written first.
      setTimeout(() => void peer.close(error.message), 50).unref()
    }
  })
}

function registrationOf(data: JsonObject): Registration {
  const { plugin_container, prod_mode, plugin_debug_key, registration_capability } = data
  if (typeof plugin_container !== 'object' || plugin_container === null || Array.isArray(plugin_container)) {
    throw new WireError('invalid_params', 'register_plugin needs "plugin_container", an object.')
  }
  return {
    container: plugin_container as JsonObject,
    prodMode: prod_mode === true,
    capability: typeof registration_capability === 'string' ? registration_capability : '',
    debugKey: typeof plugin_debug_key === 'string' ? plugin_debug_key : '',
  }
}
