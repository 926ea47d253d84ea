/** JSON as types: what may stand in `data` on the wire. Whole numbers beyond 2^53 are bigint in memory (link codec). */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }
/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json | undefined }
