import type { Profile } from '@innkeeper/contract/access/profiles'
import { Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { session } from '../../kit/access/session.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { DateField } from '../../kit/form/DateField.tsx'
import { FormNotes } from '../../kit/form/FormNotes.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { ownZone, zoneOptions } from '../../kit/form/zones.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { setZone } from '../../kit/look/zone.ts'
import { confirmEmployment } from './confirmEmployment.ts'
import { profileForm } from './profileForm.ts'

const labels = {
  firstName: 'First name',
  lastName: 'Last name',
  phone: 'Telephone',
  birthDate: 'Birthday',
  hiredAt: 'First day at work',
  lastDay: 'Last day at work',
  timeZone: 'Time zone',
}

const valuesOf = ({
  personalDetails: { firstName, lastName, phone, birthDate },
  hiredAt,
  lastDay,
  timeZone,
}: Profile) => ({
  ...{ firstName, lastName, phone: phone ?? '', birthDate: birthDate ?? '' },
  ...{ hiredAt: hiredAt ?? '', lastDay: lastDay ?? '', timeZone: timeZone ?? '' },
})

/** Personal details. Only people who may edit profiles can change the name and the first day at work. */
export function ProfileForm({ profile, stays }: { profile: Profile; stays: () => void }) {
  const { _id: id, version, timeZone } = profile
  const own = id === session.user.id
  const official = useReason()('employee:profile:update')
  const zones = useMemo(() => zoneOptions(timeZone), [timeZone])
  const form = useCallForm(profileForm, {
    initial: valuesOf(profile),
    fixed: { id, version },
    labels,
    valuesOf,
    send: async (input) => {
      const opensShifts = await confirmEmployment(profile, input)
      return opensShifts === undefined ? undefined : profileForm({ ...input, opensShifts })
    },
    onDone: async (saved) => {
      if (own) setZone(saved.timeZone)
      toast.success('The profile is saved')
      await readAgain(['profiles'])
      stays()
    },
  })
  const closed = official && { disabled: true, description: official }
  return (
    <form {...form.form}>
      <Stack gap={18} maw={640}>
        <FormNotes form={form} nothing="Nothing was saved." />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={18}>
          <TextInput label={labels.firstName} autoComplete="off" {...form.text('firstName')} {...closed} />
          <TextInput label={labels.lastName} autoComplete="off" {...form.text('lastName')} {...closed} />
          <TextInput label={labels.phone} type="tel" autoComplete="off" {...form.text('phone')} />
          <DateField label={labels.birthDate} {...form.field('birthDate')} />
          <Select
            label={labels.timeZone}
            searchable
            clearable
            data={zones}
            placeholder={own ? `From the browser: ${ownZone()}` : 'From the browser'}
            description="Times and quiet hours use it"
            {...form.field('timeZone')}
            value={form.values.timeZone || null}
            onChange={(next) => form.set('timeZone', next ?? '')}
          />
          <DateField label={labels.hiredAt} {...form.field('hiredAt')} {...closed} />
          <DateField label={labels.lastDay} {...form.field('lastDay')} {...closed} />
        </SimpleGrid>
        <Group justify="space-between">
          <Text c="dimmed" fz="xs" aria-live="polite">
            {form.lack ?? 'Not saved yet.'}
          </Text>
          <ActButton type="submit" loading={form.busy} reason={form.lack}>
            Save profile
          </ActButton>
        </Group>
      </Stack>
    </form>
  )
}
