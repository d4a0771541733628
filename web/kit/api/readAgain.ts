import { queryClient } from './queries.ts'

/** After an act: what open screens show of these domains is read again. Ends when the screens show the new answers. */
export async function readAgain(domains: readonly string[]): Promise<void> {
  await Promise.all(domains.map((domain) => queryClient.invalidateQueries({ queryKey: [domain] })))
}
