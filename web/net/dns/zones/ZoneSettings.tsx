import type { ZoneView } from '@innkeeper/contract/net/dns/calls'
import { type ZoneOptions, zoneOptions } from '@innkeeper/contract/net/dns/options'
import { Checkbox, Group, Stack, Text } from '@mantine/core'
import { useReason } from '../../../kit/access/reasons.ts'
import { useSession } from '../../../kit/access/session.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormNotes } from '../../../kit/form/FormNotes.tsx'
import { MultiSelectField } from '../../../kit/form/MultiSelectField.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { dnsApi } from '../api.ts'
import { useDepartmentOptions } from '../useDepartmentOptions.ts'
import { ZoneAnswers } from './ZoneAnswers.tsx'
import { ZoneKeys } from './ZoneKeys.tsx'

/** Times are typed as text; the contract reads them as numbers. */
type Options = Omit<ZoneOptions, 'soa'> & { soa: Record<keyof ZoneOptions['soa'], number | string> }

function problemsOf(options: Options): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const { path, message } of zoneOptions.safeParse(options).error?.issues ?? [])
    problems[['options', ...path].join('.')] ??= message
  return problems
}

/** Who sees a zone, how name servers answer, and its signing. */
export default function ZoneSettings({ zone }: { zone: ZoneView }) {
  const lacking = useReason()
  const { isAdmin } = useSession()
  const form = useCallForm(dnsApi.update, {
    initial: {
      adminOnly: zone.adminOnly,
      departmentIds: zone.departmentIds,
      dnssec: zone.dnssec,
      despiteDs: false,
      options: zone.options as Options,
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
        <Section title="Who sees the zone">
          <Stack gap={14}>
            <MultiSelectField
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
        <ZoneAnswers
          options={form.values.options}
          change={(options) => form.set('options', options)}
          problems={{ ...problemsOf(form.values.options), ...form.refused }}
          disabled={reason !== undefined}
        />
        <Section title="DNSSEC">
          <Stack gap={12}>
            <Checkbox
              label="Sign this zone"
              description={
                zone.dnssec
                  ? 'Before you stop signing, remove the DS record at the registry and wait a day'
                  : 'Innkeeper creates and keeps the keys; give the DS record to the registry afterwards'
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
              <Text c="dimmed">The DS record appears here once the primary has signed the zone.</Text>
            )}
            {form.values.dnssec && (
              <>
                <Checkbox
                  label="Prove absence by hashed names (NSEC3)"
                  description="Nobody can list the names of the zone by asking one after another"
                  disabled={reason !== undefined}
                  checked={form.values.options.nsec3}
                  onChange={(event) =>
                    form.set('options', { ...form.values.options, nsec3: event.currentTarget.checked })
                  }
                />
                <Checkbox
                  label="Publish the DS record in the zone (CDS, CDNSKEY)"
                  description="For registries that read the record there"
                  disabled={reason !== undefined}
                  checked={form.values.options.cds}
                  onChange={(event) =>
                    form.set('options', { ...form.values.options, cds: event.currentTarget.checked })
                  }
                />
              </>
            )}
            <ZoneKeys zone={zone} />
          </Stack>
        </Section>
        <Group justify="flex-end">
          <ActButton type="submit" loading={form.busy} reason={reason ?? form.lack}>
            Save zone
          </ActButton>
        </Group>
      </Stack>
    </form>
  )
}
