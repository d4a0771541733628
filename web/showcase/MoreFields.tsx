import { SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { today as dayToday } from '../kit/calendar/days.ts'
import { AddressField } from '../kit/form/AddressField.tsx'
import { MessageField } from '../kit/form/MessageField.tsx'
import { PasswordField } from '../kit/form/PasswordField.tsx'
import { PeriodPicker } from '../kit/form/PeriodPicker.tsx'
import { periodOf } from '../kit/form/periods.ts'
import { QuotaField } from '../kit/form/QuotaField.tsx'
import { type Recipient, RecipientPicker } from '../kit/form/RecipientPicker.tsx'
import { ScheduleField } from '../kit/form/ScheduleField.tsx'
import { Section } from '../kit/frame/Section.tsx'

const GiB = 1024 ** 3
const columns = { base: 1, sm: 2 }

/** Fields of hosting: password, sizes, addresses, schedule, period. */
export function Values() {
  const [password, setPassword] = useState('')
  const [quota, setQuota] = useState<number | null>(1.5 * GiB)
  const [size, setSize] = useState<number | null>(10)
  const [address, setAddress] = useState('2001:db8::1')
  const [network, setNetwork] = useState('')
  const [schedule, setSchedule] = useState({ cron: '30 2 * * 1,4', timeZone: 'Europe/Oslo' })
  const [period, setPeriod] = useState(() => periodOf('lastMonth', dayToday()))
  return (
    <Section title="Values of hosting">
      <Stack gap={18} maw={640}>
        <PasswordField label="Password" words={['Ingrid Solberg']} value={password} onChange={setPassword} />
        <SimpleGrid cols={columns} spacing={12} verticalSpacing={18}>
          <QuotaField label="Quota" unlimited value={quota} onChange={setQuota} />
          <QuotaField
            label="Size of an upload"
            required
            min={1024 ** 2}
            max={5 * GiB}
            value={size}
            onChange={setSize}
          />
          <AddressField label="Address" value={address} onChange={setAddress} />
          <AddressField
            label="Network"
            takes="network"
            value={network}
            onChange={setNetwork}
            error={network ? undefined : 'Required'}
          />
        </SimpleGrid>
        <ScheduleField label="Backups" value={schedule} onChange={setSchedule} />
        <PeriodPicker label="Period of the report" value={period} onChange={setPeriod} />
        <Text c="dimmed" fz="xs" className="mono" aria-label="Values held by the form">
          {[quota, size, address, network, schedule.cron, period.from, period.to].join(' · ')}
        </Text>
      </Stack>
    </Section>
  )
}

const placeholders = [
  { name: 'name', example: 'Ingrid' },
  { name: 'server', example: 'web-01' },
  { name: 'time', example: '14:02' },
]
const everybody: Recipient[] = [
  { kind: 'shift', id: 1, name: 'Support, on shift now', hint: 'Erik Lindqvist, Maja Berg' },
  { kind: 'department', id: 1, name: 'Support', hint: '12 people' },
  { kind: 'department', id: 2, name: 'Infrastructure', hint: '5 people' },
  { kind: 'person', id: 1, name: 'Ingrid Solberg', hint: 'Support' },
  { kind: 'person', id: 2, name: 'Erik Lindqvist', hint: 'Infrastructure' },
  { kind: 'person', id: 3, name: 'Maja Berg', hint: 'Support' },
]
const search = async (text: string) => everybody.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))

/** The recipients and the text of a message. */
export function Messages() {
  const [to, setTo] = useState<readonly Recipient[]>(everybody.slice(0, 2))
  const [text, setText] = useState('Hello {{name}}, {{server}} is down since {{tmie}}.')
  const [plain, setPlain] = useState('Zażółć gęślą jaźń')
  return (
    <Section title="Messages">
      <Stack gap={18} maw={640}>
        <RecipientPicker
          label="To"
          placeholder="A person or a department"
          value={to}
          onChange={setTo}
          search={search}
          searchKey={['kit']}
        />
        <MessageField label="Message" counts placeholders={placeholders} value={text} onChange={setText} />
        <MessageField label="Message of another alphabet" counts value={plain} onChange={setPlain} />
      </Stack>
    </Section>
  )
}
