/** Endpoints whose record is there before their handler, on the way of this change only. */
import { WireError } from '@runbound/protocol'

export function soon(): never {
  throw new WireError('not_available', 'This endpoint is being built.')
}
