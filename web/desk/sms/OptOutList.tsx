import type { SmsOptOut } from '@innkeeper/contract/desk/sms/calls'
import { Text, TextInput } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { succeeds } from '../../kit/api/attempt.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import type { Column } from '../../kit/list/columns.ts'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { useList } from '../../kit/list/useList.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { When } from '../../kit/look/When.tsx'
import { smsApi } from './api.ts'

const columns: readonly Column<SmsOptOut>[] = [
  {
    key: 'number',
    title: 'Number',
    width: 200,
    csv: ({ number }) => number,
    cell: ({ number }) => <span className="num">{number}</span>,
  },
  {
    key: 'source',
    title: 'Asked by',
    width: 180,
    csv: ({ source }) => source,
    cell: ({ source, by }) => <Text c="dimmed">{source === 'answer' ? 'an answer' : (by ?? 'staff')}</Text>,
  },
  { key: 'note', title: 'Note', csv: ({ note }) => note, cell: ({ note }) => <Text truncate>{note || '–'}</Text> },
  {
    key: 'createdAt',
    title: 'Since',
    width: 120,
    csv: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
]

/** Numbers that get no messages. */
export function OptOutList() {
  const list = useList(smsApi.optOuts, { filters: ['search'] })
  const [opened, setOpened] = useState(false)
  const lacking = useReason()
  const add = (
    <ActButton variant="default" reason={lacking(smsApi.addOptOut)} onClick={() => setOpened(true)}>
      Take a number out
    </ActButton>
  )
  return (
    <>
      <ListTable
        name="sms-opt-outs"
        noun={['number', 'numbers']}
        list={list}
        columns={columns}
        card={({ number, note }) => (
          <div>
            <Text className="num">{number}</Text>
            <Text c="dimmed" fz="xs">
              {note}
            </Text>
          </div>
        )}
        label={({ number }) => number}
        menu={(optOut) => <OptOutActs optOut={optOut} />}
        search={{ key: 'search', placeholder: 'Number' }}
        notice={<div style={{ padding: '8px 14px' }}>{add}</div>}
        empty={{ title: 'Nobody has opted out', text: 'Whoever answers STOP is listed here.', action: add, tag: 'NO' }}
      />
      {opened && <AddOptOut close={() => setOpened(false)} />}
    </>
  )
}

function AddOptOut({ close }: { close: () => void }) {
  const form = useCallForm(smsApi.addOptOut, {
    initial: { number: '', note: '' },
    labels: { number: 'Number' },
    onDone: ({ number }) => {
      void readAgain(['sms'])
      toast.success(`${number} gets no messages any more`)
      close()
    },
  })
  return (
    <FormModal
      opened
      close={close}
      title="Take a number out"
      save="Take out"
      form={form}
      nothing="Nothing was changed."
    >
      <TextInput label="Number" placeholder="+47 22 00 00 00" {...form.text('number')} />
      <TextInput label="Note" {...form.text('note')} />
    </FormModal>
  )
}

function OptOutActs({ optOut: { id, number } }: { optOut: SmsOptOut }) {
  const lacking = useReason()
  const remove = async () => {
    const done = await succeeds(() => smsApi.removeOptOut({ id }), ['sms'])
    if (done) toast.success(`${number} gets messages again`)
  }
  return (
    <MenuAction
      label="Let it receive messages again"
      icon={<IconArrowBackUp size={15} />}
      reason={lacking(smsApi.removeOptOut)}
      onClick={() => void remove()}
    />
  )
}
