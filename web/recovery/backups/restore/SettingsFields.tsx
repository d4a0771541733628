import type { Backup, RestorePreview } from '@innkeeper/contract/recovery/backups/shapes'
import type { SettingKind } from '@innkeeper/contract/recovery/backups/values'
import { Checkbox, Input, Stack } from '@mantine/core'
import type { FieldProps } from '../../../kit/form/useCallForm.ts'
import type { Target } from './TargetFields.tsx'
import { settingsOf } from './values.ts'

const words: Record<SettingKind, string> = {
  ...{ 'dns-record': 'DNS records', certificate: 'Certificate', crontab: 'Cron jobs', 'ftp-user': 'FTP users' },
}

/** Other words where no present settings can be shown. */
const asNew: Partial<Record<SettingKind, string>> = {
  'ftp-user': 'they sign in with the same passwords and with names of the new account',
}

interface Props {
  backup: Backup
  target: Target
  preview: RestorePreview | undefined
  field: FieldProps<SettingKind[]>
}

/** Settings to restore. None is chosen at first, because they replace the present ones. */
export function SettingsFields({ backup, target, preview, field: { value, onChange, error } }: Props) {
  const kept = settingsOf(backup)
  if (!kept.length) return null
  return (
    <Input.Wrapper label="Also restore" error={error}>
      <Stack gap={8} mt={6}>
        {kept.map(({ kind, text }) => {
          const now = preview?.settings.find((one) => one.kind === kind)
          const more = target === 'new' ? asNew[kind] : now?.now && `now: ${now.now}`
          const instead = more ? `${text}; ${more}` : text
          return (
            <Checkbox
              key={kind}
              label={words[kind]}
              description={now?.closed ?? instead}
              disabled={Boolean(now?.closed)}
              checked={value.includes(kind)}
              onChange={(event) =>
                onChange(event.currentTarget.checked ? [...value, kind] : value.filter((one) => one !== kind))
              }
            />
          )
        })}
      </Stack>
    </Input.Wrapper>
  )
}
