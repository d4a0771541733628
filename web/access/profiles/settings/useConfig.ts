import type { Profile } from '@innkeeper/contract/access/profiles'
import type { Input } from '@innkeeper/contract/kit/endpoint'
import { session } from '../../../kit/access/session.ts'
import { queryClient } from '../../../kit/api/queries.ts'
import { setLocale } from '../../../kit/look/locale.ts'
import { useAct } from '../../../kit/look/useAct.ts'
import { profilesApi } from '../api.ts'

type Config = Omit<Input<typeof profilesApi.config.endpoint>, 'id'>
export type SaveConfig = (config: Config) => Promise<void>

/** Saves a setting at once. On failure, shows the error and restores the former value. */
export function useConfig(id: number): SaveConfig {
  const { run } = useAct()
  return (config) =>
    run(async () => {
      const saved: Profile = await profilesApi.config({ id, ...config })
      session.update({ showReviewedEscalations: saved.profileConfig.showReviewedEscalations })
      setLocale(saved.profileConfig.locale)
      queryClient.setQueryData(profilesApi.ofUser.query({ id }).queryKey, saved)
    })
}
