import type { KeepPolicy } from '@innkeeper/contract/recovery/backups/keep'
import type { BackupKind } from '@innkeeper/contract/recovery/backups/values'
import type { When } from '@innkeeper/contract/recovery/backups/when'
import { SegmentedControl, Select, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { websitesApi } from '../../hosting/websites/api.ts'
import { LeftOut } from '../../hosting/websites/LeftOut.tsx'
import { WebsiteField } from '../../hosting/websites/WebsiteField.tsx'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { TagsInputField } from '../../kit/form/TagsInputField.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { toId } from '../../kit/frame/numbered.tsx'
import { domains } from './acts.ts'
import { backupsApi } from './api.ts'
import { KeepField } from './KeepField.tsx'
import { BackupServerField } from './ServerField.tsx'
import { WhenField } from './WhenField.tsx'
import { kinds, usualKeep } from './words.ts'

interface Scheduled {
  name: string
  when: When
  spread: number
  keep: KeepPolicy
}
interface Wish {
  websiteId: number | undefined
  backupServerId: number | undefined
  kind: BackupKind
  mode: 'instant' | 'scheduled'
  excludes: string[]
  held: boolean
  schedule: Scheduled | undefined
}
const nightly: Scheduled = {
  name: 'Nightly',
  when: { every: 'day', at: '02:30', weekday: 1, day: 1 },
  spread: 60,
  keep: usualKeep,
}
const labels = { websiteId: 'Website', backupServerId: 'Backup server' }

export default function BackupCreateScreen() {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/backups' })
  const wanted = toId(useSearch({ strict: false }).website)
  const known = useQuery({ ...websitesApi.one.query({ id: wanted ?? 0 }), enabled: wanted !== undefined })
  const initial: Wish = {
    ...{ websiteId: wanted, backupServerId: undefined, kind: 'full', mode: 'instant' },
    ...{ excludes: [], held: false, schedule: undefined },
  }
  const form = useCallForm(backupsApi.create, {
    initial,
    labels,
    onDone: ({ data, scheduleId }) => {
      void readAgain(domains)
      toast.info(data ? `Backing up ${data.domain}` : 'The schedule is saved')
      void navigate({ to: scheduleId === null ? '/backups' : '/backups/schedules' })
    },
  })
  const { required: _, ...website } = form.field('websiteId')
  const { required: __, ...server } = form.field('backupServerId')
  const { required: ___, ...kind } = form.field('kind')
  const schedule = form.field('schedule')
  const mode = form.field('mode')
  const planned = schedule.value
  return (
    <FormScreen
      form={form}
      nothing="Nothing was begun."
      left="The website is served as usual while it is backed up."
      save={planned ? 'Save schedule' : 'Back up'}
      onCancel={toList}
    >
      <SegmentedControl
        aria-label="When"
        data={[
          { value: 'instant', label: 'Now' },
          { value: 'scheduled', label: 'By a schedule' },
        ]}
        value={mode.value}
        onChange={(next) => {
          mode.onChange(next === 'scheduled' ? 'scheduled' : 'instant')
          schedule.onChange(next === 'scheduled' ? nightly : undefined)
        }}
      />
      <WebsiteField {...website} valueName={website.value === wanted ? known.data?.domain : undefined} />
      <BackupServerField {...server} />
      <Select
        label="Contents"
        allowDeselect={false}
        data={kinds}
        {...kind}
        onChange={(value) => kind.onChange((value ?? 'full') as BackupKind)} // an option of the list above
      />
      <TagsInputField
        label="Leave out"
        description="Names such as cache/ or *.log; Enter adds one"
        value={form.values.excludes}
        onChange={form.field('excludes').onChange}
      />
      {form.values.websiteId !== undefined && <LeftOut websiteId={form.values.websiteId} way="backup" />}
      {planned ? (
        <>
          <TextInput
            label="Name of the schedule"
            required
            value={planned.name}
            onChange={(event) => schedule.onChange({ ...planned, name: event.currentTarget.value })}
          />
          <WhenField value={planned.when} onChange={(when) => schedule.onChange({ ...planned, when })} />
          <KeepField
            value={planned.keep}
            when={planned.when}
            of={{ websiteId: form.values.websiteId }}
            onChange={(keep) => schedule.onChange({ ...planned, keep })}
          />
        </>
      ) : (
        <Switch
          label="Hold for ever: no policy removes it"
          checked={form.values.held}
          onChange={(event) => form.field('held').onChange(event.currentTarget.checked)}
        />
      )}
    </FormScreen>
  )
}
