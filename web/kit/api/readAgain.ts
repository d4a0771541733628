import { queryClient } from './queries.ts'

/** Invalidates the queries of these domains after an action. Resolves when the open screens show the new answers. */
export async function readAgain(domains: readonly string[]): Promise<void> {
  await Promise.all(domains.map((domain) => queryClient.invalidateQueries({ queryKey: [domain] })))
}
