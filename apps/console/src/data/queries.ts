/** Reads and steps by endpoint name: keys are `[endpoint, input]`, so that a live change can name what it makes old. */
import { ApiError, type EndpointName } from '@runbound/api'
import {
  type InfiniteData,
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { notify } from '../parts/toasts.tsx'
import { call, type Input, type Output } from './client.ts'
import { sawFailure } from './session.ts'

/** Where everything that was read is kept. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: sawFailure }),
  mutationCache: new MutationCache({ onError: sawFailure }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // What the host refused it refuses again; only a host that can't be reached is asked once more.
      retry: (count, error) => count < 2 && ApiError.is(error) && error.status === 0,
      refetchOnWindowFocus: true,
    },
  },
})

export interface ReadOptions {
  /** False: not yet, something is missing. */
  readonly enabled?: boolean
  /** Keeps what was shown for another input until the new answer is here: no flicker while filtering. */
  readonly keep?: boolean
  readonly refetchInterval?: number
}

/** What an endpoint says, kept fresh by the live channel. */
export function useRead<N extends EndpointName>(
  name: N,
  input: Input<N>,
  options: ReadOptions = {},
): UseQueryResult<Output<N>, ApiError> {
  const { keep = false, ...rest } = options
  return useQuery<Output<N>, ApiError>({
    queryKey: [name, input ?? {}],
    queryFn: () => call(name, input),
    ...rest,
    ...(keep ? { placeholderData: keepPreviousData } : {}),
  })
}

/** Endpoints that answer page by page. */
type PagedName = {
  [N in EndpointName]: Output<N> extends { items: readonly unknown[]; next_cursor: string | null; has_more: boolean }
    ? N
    : never
}[EndpointName]

/** A paged endpoint, older pages by `fetchNextPage`; `input` without cursor. */
export function useReadPages<N extends PagedName>(
  name: N,
  input: Input<N>,
  options: ReadOptions = {},
): UseInfiniteQueryResult<InfiniteData<Output<N>, string | undefined>, ApiError> {
  const { keep = false, ...rest } = options
  type Pages = InfiniteData<Output<N>, string | undefined>
  return useInfiniteQuery<Output<N>, ApiError, Pages, readonly unknown[], string | undefined>({
    queryKey: [name, input ?? {}, 'pages'],
    queryFn: ({ pageParam }) => call(name, withCursor(input, pageParam)),
    initialPageParam: undefined,
    getNextPageParam: (page) => (page.has_more ? (page.next_cursor ?? undefined) : undefined),
    ...rest,
    ...(keep ? { placeholderData: keepPreviousData } : {}),
  })
}

function withCursor<I>(input: I, cursor: string | undefined): I {
  if (cursor === undefined) return input
  const query: unknown = typeof input === 'object' && input !== null && 'query' in input ? input.query : {}
  return { ...input, query: { ...(query as object), before_cursor: cursor } }
}

export interface StepOptions<N extends EndpointName> {
  /** Endpoints whose answers are old afterwards. */
  readonly refreshes?: readonly EndpointName[]
  /** Shown at the edge when it worked. */
  readonly done?: string
  /** The page shows the failure itself, at the field that it is about. */
  readonly quiet?: boolean
  readonly onDone?: (answer: Output<N>, input: Input<N>) => void
}

/** A step that changes something. A failure is shown with the host's sentence; the page keeps its input. */
export function useStep<N extends EndpointName>(
  name: N,
  options: StepOptions<N> = {},
): UseMutationResult<Output<N>, ApiError, Input<N>> {
  const { refreshes = [], done, quiet = false, onDone } = options
  return useMutation<Output<N>, ApiError, Input<N>>({
    mutationFn: (input) => call(name, input),
    onError: (error) => {
      if (!quiet) notify({ tone: 'danger', text: error.message, code: error.code })
    },
    onSuccess: (answer, input) => {
      for (const endpoint of refreshes) void queryClient.invalidateQueries({ queryKey: [endpoint] })
      if (done !== undefined) notify({ tone: 'ok', text: done })
      onDone?.(answer, input)
    },
  })
}

/** Marks what was read of these endpoints as old; what is on the page is read again. */
export function refresh(...names: readonly EndpointName[]): void {
  for (const name of names) void queryClient.invalidateQueries({ queryKey: [name] })
}
