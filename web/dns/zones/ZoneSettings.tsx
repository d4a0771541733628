import type { ZoneView } from '@innkeeper/contract/dns'
import { Button, Checkbox, Group, MultiSelect, Stack, Text } from '@mantine/core'
import { useReason } from '../../kit/access/reasons.ts'
import { useSession } from '../../kit/access/session.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormNotes } from '../../kit/form/FormNotes.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { CodeBlock } from '../../kit/look/CodeBlock.tsx'
import { dnsApi } from '../api.ts'
import { useDepartmentOptions } from '../useDepartmentOptions.ts'

/** Department and DNSSEC signing of a zone. */
export default function ZoneSettings({ zone }: { zone: ZoneView }) {
  const lacking = useReason()
  const { isAdmin } = useSession()
  const form = useCallForm(dnsApi.update, {
    initial: {
      adminOnly: zone.adminOnly,
      departmentIds: zone.departmentIds,
      dnssec: zone.dnssec,
      despiteDs: false,
    },
    fixed: { id: zone.id, version: zone.version },
    labels: {
      adminOnly: 'Administrators only',
      departmentIds: 'Departments',
      dnssec: 'DNSSEC',
      despiteDs: 'DS record',
    },
    onDone: () => {
      void readAgain(['dns', 'workflows'])
      toast.success(`${zone.domain} is saved`)
    },
  })
  const reason = lacking(dnsApi.update)
  const options = useDepartmentOptions(zone.departments)
  const departments = form.field('departmentIds')
  return (
    <form {...form.form}>
      <Stack gap={16} maw={720}>
        <FormNotes form={form} nothing="Nothing was saved." />
        <Section title="Who sees it">
          <Stack gap={14}>
            <MultiSelect
              label="Departments"
              description={`${zone.departments.some(({ promoted }) => !promoted) ? 'One of these is not promoted any more: its people do not see the zone. ' : ''}None: everybody who may see zones`}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              data={options}
              disabled={reason !== undefined}
              searchable
              clearable
              value={departments.value.map(String)}
              onChange={(ids) => departments.onChange(ids.map(Number))}
              error={departments.error}
            />
            <Checkbox
              label="Administrators only"
              description={
                isAdmin ? 'Hidden from everybody else, whatever their department' : 'For administrators to choose'
              }
              disabled={!isAdmin || reason !== undefined}
              checked={form.values.adminOnly}
              onChange={(event) => form.set('adminOnly', event.currentTarget.checked)}
            />
          </Stack>
        </Section>
        <Section title="DNSSEC">
          <Stack gap={12}>
            <Checkbox
              label="Sign this zone"
              description={
                zone.dnssec
                  ? 'Take the DS record away at the registry, and wait a day, before signing ends'
                  : 'Innkeeper makes and keeps the keys; the registry is told the DS record afterwards'
              }
              disabled={reason !== undefined}
              checked={form.values.dnssec}
              onChange={(event) => form.set('dnssec', event.currentTarget.checked)}
            />
            {zone.dnssec && !form.values.dnssec && (
              <Checkbox
                label="Stop signing even if the parent zone has a DS record"
                description="Saving asks the parent zone first. With a DS record there, resolvers that validate refuse an unsigned domain. The keys stay here for the next time."
                color="red"
                checked={form.values.despiteDs}
                onChange={(event) => form.set('despiteDs', event.currentTarget.checked)}
              />
            )}
            {zone.dnssec && zone.ds.length === 0 && (
              <Text c="dimmed">The DS record is here once the primary has signed the zone.</Text>
            )}
            {zone.ds.map((ds) => (
              <CodeBlock key={ds} label="DS record">{`${zone.domain}. IN DS ${ds}`}</CodeBlock>
            ))}
          </Stack>
        </Section>
        <Group justify="flex-end">
          <Button type="submit" loading={form.busy} disabled={!form.dirty || reason !== undefined}>
            Save zone
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
