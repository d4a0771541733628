import { reasons } from '@innkeeper/contract/access/notifications'
import type { SmsSettings } from '@innkeeper/contract/desk/sms/calls'
import { Alert, Button, Group, PasswordInput, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { departmentsApi } from '../../access/departments/api.ts'
import { usersApi } from '../../access/users/api.ts'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { MultiSelectField } from '../../kit/form/MultiSelectField.tsx'
import { NumberField } from '../../kit/form/NumberField.tsx'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { TimeField } from '../../kit/form/TimeField.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { ZoneField } from '../../kit/form/ZoneField.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { CodeBlock } from '../../kit/look/CodeBlock.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { When } from '../../kit/look/When.tsx'
import { smsApi } from './api.ts'

const gateways = [
  { value: 'none', label: 'None: nothing is sent' },
  { value: 'kannel', label: 'Kannel (sendsms)' },
  { value: 'http', label: 'Another HTTP gateway' },
] as const
const levelOptions = [
  { value: 'info', label: 'Every notification' },
  { value: 'warning', label: 'Warnings and errors' },
  { value: 'error', label: 'Errors alone' },
] as const

export default function SettingsScreen() {
  const query = useQuery(smsApi.settings.query())
  return query.data ? <Form settings={query.data} /> : <Screen query={query}>{null}</Screen>
}

const valuesOf = ({ hasSecret: _, fallback, trouble: __, ...stored }: SmsSettings) => ({
  ...stored,
  fallbackIds: fallback.map(({ id }) => id),
  ...{ countryCode: stored.countryCode ?? '', quietFrom: stored.quietFrom ?? '', quietTo: stored.quietTo ?? '' },
})
const namesOf = ({ fallback }: SmsSettings) => new Map(fallback.map(({ id, name }) => [id, name]))

function Form({ settings }: { settings: SmsSettings }) {
  const navigate = useNavigate()
  const lacking = useReason()
  const opened = settings
  const departments = useQuery({
    ...departmentsApi.list.query({ itemsPerPage: 200 }),
    enabled: !lacking(departmentsApi.list),
  })
  const [names, setNames] = useState(namesOf(opened))
  const form = useCallForm(smsApi.updateSettings, {
    initial: { ...valuesOf(opened), secret: '' },
    valuesOf,
    onMerged: (_, stored: SmsSettings) => setNames((now) => new Map([...now, ...namesOf(stored)])),
    labels: { url: 'Address', secret: 'Password', sender: 'Sender' },
    onDone: () => {
      void readAgain(['sms'])
      toast.success('The settings of SMS are saved')
    },
  })
  const [gateway, level, price] = [form.field('gateway'), form.field('alertLevel'), form.field('price')]
  const [reasonsField, fallbackIds] = [form.field('alertReasons'), form.field('fallbackIds')]
  const near = form.field('alertDepartments')
  const number = (key: 'perDay' | 'maxAttempts' | 'escalateMinutes', label: string, min: number, max: number) => {
    const { onChange, ...rest } = form.field(key)
    return (
      <NumberField
        label={label}
        min={min}
        max={max}
        allowDecimal={false}
        {...rest}
        onChange={(next) => onChange(Number(next) || min)}
      />
    )
  }
  return (
    <FormScreen
      form={form}
      nothing="Nothing was saved."
      edits
      title="SMS settings"
      left="Waiting messages are sent through the gateway that is saved here."
      save="Save settings"
      onCancel={() => void navigate({ to: '/sms/messages' })}
    >
      {settings.trouble && (
        <Alert color="error" title="The gateway refuses Innkeeper, and all messages wait">
          {settings.trouble.reason}. Since <When at={settings.trouble.since} />.
        </Alert>
      )}
      <Select
        label="Gateway"
        description={
          gateway.value === 'kannel'
            ? 'Kannel sends at least once: it repeats a message when the operator drops the connection before its answer'
            : undefined
        }
        allowDeselect={false}
        data={gateways}
        value={gateway.value}
        onChange={(next) => gateway.onChange(gateways.find(({ value }) => value === next)?.value ?? 'none')}
      />
      <TextInput label="Address" placeholder="http://127.0.0.1:13013" {...form.text('url')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label="User name" autoComplete="off" {...form.text('username')} />
        <PasswordInput
          label="Password or token"
          placeholder={opened.hasSecret ? 'Stored; empty keeps it' : ''}
          autoComplete="new-password"
          {...form.text('secret')}
        />
        <TextInput label="Sender" placeholder="Number or at most 11 letters" {...form.text('sender')} />
        <TextInput label="Usual country code" placeholder="+47" {...form.text('countryCode')} />
      </SimpleGrid>
      <TextInput label="Address of Innkeeper for the gateway" placeholder="https://…" {...form.text('publicUrl')} />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <TimeField label="Quiet from" {...form.field('quietFrom')} />
        <TimeField label="Quiet until" {...form.field('quietTo')} />
        <ZoneField field={form.field('timeZone')} />
        {number('perDay', 'Messages per number and day', 1, 1000)}
        {number('maxAttempts', 'Attempts', 1, 10)}
        <NumberField
          label={`Price of a segment, ${form.values.currency}`}
          min={0}
          max={100}
          decimalScale={4}
          value={price.value ?? ''}
          onChange={(next) => price.onChange(next === '' ? null : Number(next))}
          error={price.error}
        />
      </SimpleGrid>
      <MultiSelectField
        label="Alert whoever is on shift of"
        placeholder={reasonsField.value.length ? '' : 'Nothing'}
        data={Object.entries(reasons).map(([value, label]) => ({ value, label }))}
        {...reasonsField}
        onChange={(next) => reasonsField.onChange(next.flatMap((one) => (isReason(one) ? [one] : [])))}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label="From which level on"
          allowDeselect={false}
          data={levelOptions}
          value={level.value === 'success' ? 'info' : level.value}
          onChange={(next) => level.onChange(levelOptions.find(({ value }) => value === next)?.value ?? 'error')}
        />
        {number('escalateMinutes', 'Ask the fallback after, min (0: never)', 0, 240)}
      </SimpleGrid>
      <MultiSelectField
        label="Shifts of these departments"
        placeholder={near.value.length ? '' : 'All departments'}
        data={(departments.data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        value={near.value.map(String)}
        onChange={(next) => near.onChange(next.map(Number))}
      />
      <PickOne
        key={fallbackIds.value.length} // resets the field after each added person
        label="Fallback: when nobody is on shift or answers"
        description={fallbackIds.value.map((id) => names.get(id) ?? `User ${id}`).join(', ') || 'Nobody yet'}
        placeholder="Add somebody"
        call={usersApi.list}
        nameOf={({ name }) => name}
        reason={lacking(usersApi.list)}
        closed={({ id }) => (fallbackIds.value.includes(id) ? 'Is asked already' : undefined)}
        value={null}
        onChange={(_id, user) => {
          if (!user) return
          setNames(new Map([...names, [user.id, user.name]]))
          fallbackIds.onChange([...fallbackIds.value, user.id])
        }}
      />
      {fallbackIds.value.length > 0 && (
        <Group>
          <Button size="xs" variant="default" onClick={() => fallbackIds.onChange([])}>
            Remove the fallback
          </Button>
        </Group>
      )}
      <Gateway settings={settings} />
    </FormScreen>
  )
}

const isReason = (text: string): text is keyof typeof reasons => Object.hasOwn(reasons, text)

/** The sender, the text and the number of an answer, as Kannel writes them into its `get-url`. */
const KANNEL_FILLS_IN = '&from=%p&text=%a&ref=%I'

/** The address that the gateway needs for answers, and a test message. */
function Gateway({ settings: { gateway, publicUrl } }: { settings: SmsSettings }) {
  const [to, setTo] = useState('')
  const [address, setAddress] = useState<string>()
  const act = useAct()
  const send = () =>
    act.run(async () => {
      const sent = await attempt(() => smsApi.test({ to }), ['sms'])
      if (sent) toast.success('The test message is queued', 'The list of messages shows its delivery.')
    })
  const renew = () =>
    act.run(async () => {
      const sure = await confirm({
        title: 'Make a new address for answers?',
        text: 'The gateway needs the new address: answers to the former one are refused.',
        verb: 'Make the address',
        danger: true,
      })
      if (sure === undefined) return
      const made = await attempt(() => smsApi.renewKey(), ['sms'])
      if (made) setAddress(gateway === 'kannel' ? made.replyUrl + KANNEL_FILLS_IN : made.replyUrl)
    })
  return (
    <>
      <Section title="Address for answers" hint="Has a key, and is shown once">
        {address ? (
          <CodeBlock label="Address for answers">{address}</CodeBlock>
        ) : (
          <Group>
            <ActButton
              variant="default"
              reason={publicUrl ? undefined : 'Save the address of Innkeeper for the gateway first.'}
              loading={act.busy}
              onClick={() => void renew()}
            >
              Make a new address
            </ActButton>
          </Group>
        )}
      </Section>
      <Section title="Test message">
        <Group align="end" gap={8}>
          <TextInput
            label="Number"
            placeholder="+47 22 00 00 00"
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          <ActButton
            variant="default"
            loading={act.busy}
            reason={gateway === 'none' ? 'Choose a gateway and save first.' : to ? undefined : 'Type a number first.'}
            onClick={() => void send()}
          >
            Send a test
          </ActButton>
          {gateway === 'none' && <Text c="dimmed">Save a gateway first.</Text>}
        </Group>
      </Section>
    </>
  )
}
