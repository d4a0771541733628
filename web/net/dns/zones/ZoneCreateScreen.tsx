import { looksLike } from '@innkeeper/contract/net/dns/names'
import type { TransferredZone } from '@innkeeper/contract/net/dns/transfer'
import { parseZoneFile } from '@innkeeper/contract/net/dns/zoneFile'
import { Alert, Button, Checkbox, FileButton, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconFileUpload, IconServer } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { useSession } from '../../../kit/access/session.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { MultiSelectField } from '../../../kit/form/MultiSelectField.tsx'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { lazyDialog } from '../../../kit/frame/lazyScreen.tsx'
import { counted } from '../../../kit/look/format.ts'
import { dnsApi } from '../api.ts'
import { ForgottenDots } from '../records/ForgottenDots.tsx'
import { SkippedLines } from '../records/SkippedLines.tsx'
import { useDepartmentOptions } from '../useDepartmentOptions.ts'
import { SignedElsewhere } from './SignedElsewhere.tsx'

const TransferModal = lazyDialog(() => import('./TransferModal.tsx'))

interface Requested {
  domain: string
  departmentIds: number[]
  adminOnly: boolean
  active: boolean
  templateId: number | undefined
  address: string
  zoneFile: string
  leaveOut: number
}
const empty: Requested = {
  domain: '',
  departmentIds: [],
  adminOnly: false,
  active: true,
  templateId: undefined,
  address: '',
  zoneFile: '',
  leaveOut: 0,
}
const labels = {
  domain: 'Domain',
  departmentIds: 'Departments',
  templateId: 'Template',
  address: 'Address',
  zoneFile: 'Zone file',
  leaveOut: 'Lines that cannot be kept',
}
const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

export default function ZoneCreateScreen() {
  const navigate = useNavigate()
  const { isAdmin } = useSession()
  const form = useCallForm(dnsApi.create, {
    initial: empty,
    labels,
    onDone: ({ id }) => {
      void readAgain(['dns', 'workflows'])
      void navigate({ to: '/dns/zone/$id', params: { id: String(id) } })
    },
  })
  const departments = form.field('departmentIds')
  const options = useDepartmentOptions()
  const maySee = !useReason()(dnsApi.departments)
  const template = form.field('templateId')
  const warning = looksLike(form.values.domain)
  const given = useDeferredValue(form.values.zoneFile)
  const domain = useDeferredValue(form.values.domain.trim().toLowerCase())
  const read = useMemo(() => (given.trim() && domain ? parseZoneFile(given, domain) : undefined), [given, domain])
  const lost = read?.skipped.filter(({ managed }) => !managed).length ?? 0
  const [reading, setReading] = useState(false)
  const [transferred, setTransferred] = useState<TransferredZone>()
  const take = (zone: TransferredZone, of: string) => {
    setTransferred(zone)
    form.set('zoneFile', zone.zoneFile)
    form.set('domain', of)
  }
  // beside the form of the zone: a form within a form would send both
  const dialog = reading && <TransferModal domain={form.values.domain} done={take} close={() => setReading(false)} />
  return (
    <>
      {dialog}
      <FormScreen
        form={form}
        nothing="Nothing was added."
        left={form.values.active ? 'The name servers get the zone at once.' : 'No name server gets the zone.'}
        save="Add zone"
        disabled={lost > 0 && form.values.leaveOut !== lost}
        onCancel={() => void navigate({ to: '/dns' })}
      >
        <TextInput
          label="Domain"
          placeholder="example.org"
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          styles={mono}
          {...form.text('domain')}
        />
        {warning && (
          <Alert color="warning" p="10px 14px" title="This name may deceive">
            {warning}.
          </Alert>
        )}
        <PickOne
          label="Template"
          placeholder="None: only the NS records"
          call={dnsApi.templates}
          nameOf={({ name }) => name}
          hint={({ records }) => `${counted(records.length, ['record', 'records'])}`}
          value={template.value ?? null}
          onChange={(id) => template.onChange(id ?? undefined)}
          error={template.error}
        />
        {template.value !== undefined && (
          <TextInput
            label="Address"
            description="Replaces {address} of the template; without one, records with {address} are left out"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="off"
            styles={mono}
            {...form.text('address')}
          />
        )}
        <div>
          <Textarea
            label="Zone file"
            description="Of the name server that had the zone until now"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autosize
            minRows={3}
            maxRows={12}
            spellCheck={false}
            styles={mono}
            {...form.text('zoneFile')}
          />
          {read && (
            <Stack gap={10} mt={10}>
              <Text c="dimmed" fz="sm">
                {counted(read.entries.length, ['record', 'records'])} of the file will be in the zone.
              </Text>
              <ForgottenDots entries={read.entries} zone={domain} />
              <SkippedLines skipped={read.skipped} />
              {lost > 0 && (
                <Checkbox
                  label={`Add the zone without ${lost === 1 ? 'this line' : `these ${lost} lines`}`}
                  checked={form.values.leaveOut === lost}
                  onChange={(event) => form.set('leaveOut', event.currentTarget.checked ? lost : 0)}
                />
              )}
            </Stack>
          )}
          <Group mt={6}>
            <FileButton onChange={(file) => void file?.text().then((text) => form.set('zoneFile', text))}>
              {(props) => (
                <Button {...props} size="xs" variant="default" leftSection={<IconFileUpload size={14} />}>
                  Choose a file
                </Button>
              )}
            </FileButton>
            <Button size="xs" variant="default" leftSection={<IconServer size={14} />} onClick={() => setReading(true)}>
              Read from a name server…
            </Button>
          </Group>
          {transferred && <SignedElsewhere zone={transferred} />}
        </div>
        {maySee && (
          // its place from the beginning: the departments come late and would push what is below
          <MultiSelectField
            label="Departments"
            description="Departments that see it; none: everybody who may see zones"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={options}
            nothingFoundMessage="No department may have zones yet"
            searchable
            clearable
            value={departments.value.map(String)}
            onChange={(ids) => departments.onChange(ids.map(Number))}
            error={departments.error}
          />
        )}
        <Checkbox
          label="Active at once"
          description="Otherwise the zone is only prepared here, and no name server serves it"
          checked={form.values.active}
          onChange={(event) => form.set('active', event.currentTarget.checked)}
        />
        {isAdmin && (
          <Checkbox
            label="Administrators only"
            checked={form.values.adminOnly}
            onChange={(event) => form.set('adminOnly', event.currentTarget.checked)}
          />
        )}
      </FormScreen>
    </>
  )
}
