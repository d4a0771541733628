import type { Profile } from '@innkeeper/contract/access/profiles'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { counted } from '../../kit/look/format.ts'
import { profilesApi } from './api.ts'

interface Days {
  hiredAt?: string | null | undefined
  lastDay?: string | null | undefined
}

/**
 * Shows what another first or last day at work changes. True: the shifts after the last day become open for others.
 * Undefined: the person cancelled.
 */
export async function confirmEmployment(
  { _id: id, hiredAt, lastDay }: Pick<Profile, '_id' | 'hiredAt' | 'lastDay'>,
  wanted: Days,
): Promise<boolean | undefined> {
  const isOther = (is: string | null | undefined, was: string | null) => is !== undefined && (is || null) !== was
  if (!isOther(wanted.hiredAt, hiredAt) && !isOther(wanted.lastDay, lastDay)) return false
  const { leaves, shifts } = await profilesApi.previewEmployment({
    id,
    hiredAt: wanted.hiredAt || null,
    lastDay: wanted.lastDay || null,
  })
  if (!leaves && !shifts) return false
  const answer = await confirm({
    title: 'This changes more than the profile',
    text: [
      ...(leaves ? [`${counted(leaves, ['leave takes', 'leaves take'])} other days.`] : []),
      ...(shifts ? [`${counted(shifts, ['shift', 'shifts'])} after the last day become open for others.`] : []),
    ].join('\n'),
    verb: shifts ? 'Save and open the shifts' : 'Save profile',
  })
  return answer === undefined ? undefined : shifts > 0
}
