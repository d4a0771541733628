/** The first website of the tests: an account, its folder, its pool, its site. */
export const limits = { memoryMb: 256, cpuPercent: 100, tasks: 64 }

export const rootOf = (domain: string, username = 'web1') => ({
  username,
  domain,
  path: `/home/${username}/${domain}/public`,
})

export const poolOf = (username = 'web1') => ({ username, phpVersion: '8.2', maxChildren: 4, memoryLimitMb: 128 })

export const siteOf = (domain: string, username = 'web1') => ({
  domain,
  aliases: [] as string[],
  root: rootOf(domain, username).path,
  username,
  phpVersion: '8.2',
  state: 'active' as const,
})
