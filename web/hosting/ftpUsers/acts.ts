import type { FtpServer, FtpSession, FtpUser } from '@innkeeper/contract/hosting/ftpUsers'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { ftpUsersApi } from './api.ts'

export const domains = ['ftpUsers', 'websites', 'workflows'] as const
type Status = FtpUser['status']

const asked: Record<Status, { verb: string; text: string }> = {
  active: { verb: 'Activate', text: '' },
  suspended: { verb: 'Suspend', text: 'Nobody signs in, and open sessions end at once.' },
  disabled: { verb: 'Disable', text: 'Nobody signs in any more; what is being transferred finishes.' },
}

export async function setStatus({ id, username, version }: FtpUser, status: Status): Promise<void> {
  const { verb, text } = asked[status]
  const sure =
    status === 'active'
      ? { reason: '' }
      : await confirm({
          title: `${verb} ${username}?`,
          text: `${text} Its password, folder and files stay.`,
          verb: `${verb} FTP user`,
          danger: true,
          reason: { label: 'Reason' },
        })
  if (!sure) return
  const reason = sure.reason || null
  const begun = await attempt(() => ftpUsersApi.update({ id, status, reason, version }), domains)
  if (begun) toast.info(`${username} becomes ${status}`)
}

/** Answers a new password to show once. */
export async function makePassword({ id, username }: FtpUser): Promise<string | null | undefined> {
  const sure = await confirm({
    title: `Make a new password for ${username}?`,
    text: 'The former password stops working, and open sessions end.',
    verb: 'Make password',
  })
  const made = sure && (await attempt(() => ftpUsersApi.setPassword({ id }), domains))
  return made ? made.password : undefined
}

/** Answers whether the deletion has begun. */
export async function removeUser({ id, username, version, homeDir }: FtpUser): Promise<boolean> {
  const sure = await confirm({
    title: `Delete ${username}?`,
    text: `Its sessions end. The files in ${homeDir} stay.`,
    verb: 'Delete FTP user',
    danger: true,
  })
  if (!sure) return false
  const begun = await attempt(() => ftpUsersApi.remove({ id, version }), domains)
  if (begun) toast.info(`Deleting ${username}`)
  return begun !== undefined
}

export async function setPlain({ serverId: server, serverName, plain, version }: FtpServer): Promise<void> {
  const sure =
    plain ||
    (await confirm({
      title: `Admit FTP without TLS on ${serverName}?`,
      text: 'Anybody on the network path can then read passwords and files of clients without TLS. The change applies to all websites of the server and ends open sessions.',
      verb: 'Admit without TLS',
      danger: true,
    }))
  if (!sure) return
  const begun = await attempt(() => ftpUsersApi.updateServer({ server, plain: !plain, version }), domains)
  if (begun) toast.info(`Changing FTP on ${serverName}`)
}

export async function endSession({ id, username }: FtpUser, { session, address }: FtpSession): Promise<void> {
  const sure = await confirm({
    title: `End the session of ${username} from ${address}?`,
    text: 'A transfer breaks off. The person may sign in again: suspend the FTP user to prevent that.',
    verb: 'End session',
    danger: true,
  })
  if (sure) await attempt(() => ftpUsersApi.endSession({ id, session }), ['ftpUsers'])
}
