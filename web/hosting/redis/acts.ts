import type { Website } from '@innkeeper/contract/hosting/websites'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { redisApi } from './api.ts'

const domains = ['redis', 'websites', 'workflows'] as const

export async function enable({ id, domain }: Website): Promise<void> {
  const begun = await attempt(() => redisApi.enable({ website_id: id }), domains)
  if (begun) toast.info(`Turning on the Redis cache of ${domain}`, 'Redis is installed first if it is missing.')
}

export async function disable({ id, domain }: Website): Promise<void> {
  const sure = await confirm({
    title: `Turn off the Redis cache of ${domain}?`,
    text: 'Its content is deleted. An application that uses it may be slow, or show errors, until its configuration changes.',
    verb: 'Turn off',
    danger: true,
  })
  if (!sure) return
  const begun = await attempt(() => redisApi.disable({ website_id: id }), domains)
  if (begun) toast.info(`Turning off the Redis cache of ${domain}`)
}
