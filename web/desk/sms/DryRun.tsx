import type { SmsRecipient } from '@innkeeper/contract/desk/sms/calls'
import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Recipient } from '../../kit/form/RecipientPicker.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { counted, moment } from '../../kit/look/format.ts'
import { SectionTable, type TableColumn } from '../../kit/look/SectionTable.tsx'
import { smsApi } from './api.ts'

interface Values {
  to: string[]
  body: string
  templateName: string
  values: Record<string, string>
  sendAt: string
  urgent: boolean
}

const columns: readonly TableColumn<SmsRecipient>[] = [
  {
    title: 'Recipient',
    cell: ({ name, to }) => (
      <>
        {name || to}
        {name && (
          <Text c="dimmed" fz="xs" className="num">
            {to || 'no number'}
          </Text>
        )}
      </>
    ),
  },
  {
    title: 'Gets',
    cell: ({ skipped, segments, notBefore }) =>
      skipped ? (
        <Text c="warning">nothing: {skipped}</Text>
      ) : (
        <Text c="dimmed">
          {counted(segments, ['segment', 'segments'])}
          {notBefore && `, quiet until ${moment(notBefore)}`}
        </Text>
      ),
  },
]

/** Who would get the message, who would not and why, segments and cost. Nothing is sent. */
export function DryRun({ values, chosen }: { values: Values; chosen: readonly Recipient[] }) {
  const idsOf = (kind: Recipient['kind']) => chosen.flatMap((one) => (one.kind === kind ? [one.id] : []))
  const input = {
    ...{ to: values.to, users: idsOf('person'), departments: idsOf('department'), shifts: idsOf('shift') },
    ...(values.templateName ? { templateName: values.templateName, values: values.values } : { body: values.body }),
    ...(values.sendAt && { sendAt: values.sendAt }),
    urgent: values.urgent,
  }
  const [asked, ask] = useState<typeof input>()
  const { data, error, isFetching } = useQuery({
    queryKey: ['sms', 'preview', asked],
    queryFn: () => smsApi.preview(asked ?? input),
    enabled: asked !== undefined,
    retry: false,
  })
  const isOld = JSON.stringify(asked) !== JSON.stringify(input)
  return (
    <Section title="Dry run" hint="Nothing is sent">
      <Stack gap={12}>
        <Button variant="default" loading={isFetching} onClick={() => ask(input)}>
          {asked && !isOld ? 'Look again' : 'Show who gets it'}
        </Button>
        {error && <Text c="error">{error.message}</Text>}
        {data && isOld && <Text c="dimmed">The message has changed since.</Text>}
        {data && (
          <>
            <Text role="status">
              {counted(data.messages, ['message', 'messages'])} in {counted(data.segments, ['segment', 'segments'])}
              {data.cost !== null && `, ${data.cost.toFixed(2)} ${data.currency}`}
              {data.skipped > 0 && `; ${counted(data.skipped, ['recipient gets', 'recipients get'])} nothing`}
            </Text>
            <SectionTable
              label="Recipients"
              edges={false}
              columns={columns}
              rows={data.recipients}
              keyOf={(one) => `${one.userId} ${one.to} ${one.text}`}
              empty="Nobody."
              maxHeight={420}
            />
          </>
        )}
      </Stack>
    </Section>
  )
}
