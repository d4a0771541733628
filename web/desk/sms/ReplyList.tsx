import type { SmsReply } from '@innkeeper/contract/desk/sms/calls'
import { Text } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { NameCell } from '../../kit/list/NameCell.tsx'
import { useList } from '../../kit/list/useList.ts'
import { When } from '../../kit/look/When.tsx'
import { smsApi } from './api.ts'

const effects: Record<SmsReply['effect'], string> = {
  acknowledged: 'took an alert',
  'opted-out': 'gets no messages any more',
  'opted-in': 'gets messages again',
  none: '–',
}

const columns: readonly Column<SmsReply>[] = [
  {
    key: 'from',
    title: 'From',
    width: 200,
    csv: ({ from }) => from,
    cell: ({ from, userName }) => (
      <NameCell below={userName ? from : 'no colleague'}>
        <Text truncate>{userName ?? from}</Text>
      </NameCell>
    ),
  },
  { key: 'text', title: 'Answer', csv: ({ text }) => text, cell: ({ text }) => <Text truncate>{text}</Text> },
  {
    key: 'effect',
    title: 'Effect',
    width: 200,
    csv: ({ effect }) => effect,
    cell: ({ effect }) => <Text c="dimmed">{effects[effect]}</Text>,
  },
  { key: 'at', title: 'Received', width: 120, csv: ({ at }) => at, cell: ({ at }) => <When at={at} /> },
]

/** Answers of recipients. */
export function ReplyList() {
  const list = useList(smsApi.replies)
  return (
    <ListTable
      name="sms-replies"
      noun={['answer', 'answers']}
      list={list}
      columns={columns}
      card={({ from, userName, text }) => (
        <div style={{ minWidth: 0 }}>
          <Text truncate>{text}</Text>
          <Text c="dimmed" fz="xs" truncate>
            {userName ?? from}
          </Text>
        </div>
      )}
      label={({ from }) => `Answer from ${from}`}
      empty={{
        title: 'No answer yet',
        text: 'STOP takes a number out, OK acknowledges an alert. Other answers are listed.',
        tag: 'AN',
      }}
    />
  )
}
