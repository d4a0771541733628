import type { Backup } from '@innkeeper/contract/recovery/backups/shapes'
import { SegmentedControl, TextInput } from '@mantine/core'
import { LeftOut } from '../../../hosting/websites/LeftOut.tsx'
import { WebsiteField } from '../../../hosting/websites/WebsiteField.tsx'
import type { FieldProps } from '../../../kit/form/useCallForm.ts'
import { ServerField } from '../../../machines/servers/choice/ServerField.tsx'
import type { Wish } from './values.ts'

export type Target = 'same' | 'other' | 'new'
type Fields = { [K in 'websiteId' | 'domain' | 'originServer' | 'phpVersion']: FieldProps<Wish[K]> }

interface Props {
  target: Target
  /** A new website needs the whole backup. */
  whole: boolean
  then: Backup
  fields: Fields
  onChange: (target: Target) => void
}

/** Where a restore goes: its own website, another one, or a new one. */
export function TargetFields({ target, whole, then, fields, onChange }: Props) {
  const { required: _, ...website } = fields.websiteId
  const { required: __, ...server } = fields.originServer
  const { domain, phpVersion } = fields
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label="Where to"
        data={[
          { value: 'same', label: 'In place' },
          { value: 'other', label: 'Another website' },
          ...(whole ? [{ value: 'new', label: 'A new website' }] : []),
        ]}
        value={target}
        onChange={(value) => onChange(value as Target)} // an option of the list above
      />
      {target === 'other' && <WebsiteField {...website} />}
      {target === 'new' && (
        <>
          <TextInput
            label="Name"
            required
            placeholder={`copy.${then.domain}`}
            value={domain.value ?? ''}
            error={domain.error}
            onBlur={domain.onBlur}
            onChange={(event) => domain.onChange(event.currentTarget.value || undefined)}
          />
          <ServerField {...server} />
          <TextInput
            label="PHP version"
            placeholder="As in the backup"
            value={phpVersion.value ?? ''}
            error={phpVersion.error}
            onBlur={phpVersion.onBlur}
            onChange={(event) => phpVersion.onChange(event.currentTarget.value || undefined)}
          />
          <LeftOut websiteId={then.websiteId} way="newWebsite" />
        </>
      )}
    </>
  )
}
