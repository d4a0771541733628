import type { Backup } from '@innkeeper/contract/recovery/backups/shapes'
import { Menu } from '@mantine/core'
import {
  IconCertificate,
  IconListDetails,
  IconPin,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconTrash,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { ItsWebsite } from '../../hosting/websites/ItsWebsite.tsx'
import { useReason } from '../../kit/access/reasons.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { cancel, drill, hold, pause, removeBackup, resume } from './acts.ts'
import { backupsApi } from './api.ts'

export const isRunning = ({ status }: Backup) => status < 2

/** Menu items for a backup. */
export function BackupActs({ backup }: { backup: Backup }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const busy = isRunning(backup) ? 'This backup is running. Wait for it.' : undefined
  const nothing = backup.parts.some(({ snapshot }) => snapshot) ? undefined : 'This backup contains nothing to restore.'
  return (
    <>
      <MenuAction
        label="Details and restore"
        icon={<IconListDetails size={15} />}
        onClick={() => void navigate({ to: '/backups/$backupId/details', params: { backupId: String(backup.id) } })}
      />
      <ItsWebsite id={backup.websiteId} />
      {isRunning(backup) &&
        (backup.pausedAt ? (
          <MenuAction
            label="Resume"
            icon={<IconPlayerPlay size={15} />}
            reason={lacking(backupsApi.resume)}
            onClick={() => void resume(backup)}
          />
        ) : (
          <MenuAction
            label="Pause…"
            icon={<IconPlayerPause size={15} />}
            reason={lacking(backupsApi.pause)}
            onClick={() => void pause(backup)}
          />
        ))}
      {isRunning(backup) && (
        <MenuAction
          label="Cancel…"
          danger
          icon={<IconPlayerStop size={15} />}
          reason={lacking(backupsApi.cancel)}
          onClick={() => void cancel(backup)}
        />
      )}
      <MenuAction
        label="Prove by a test restore"
        icon={<IconCertificate size={15} />}
        reason={lacking(backupsApi.drill) ?? busy ?? nothing}
        onClick={() => void drill(backup)}
      />
      <MenuAction
        label={backup.held ? 'Release' : 'Hold for ever'}
        icon={<IconPin size={15} />}
        reason={lacking(backupsApi.update)}
        onClick={() => void hold(backup)}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={
          lacking(backupsApi.remove) ??
          busy ??
          (backup.held ? 'The backup is held for ever: release it first.' : undefined)
        }
        onClick={() => void removeBackup(backup)}
      />
    </>
  )
}
