import type { OriginVhost } from '@innkeeper/contract/originVhosts'
import { Select, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { counted } from '../../kit/look/format.ts'
import { originVhostsApi } from '../api.ts'
import { draftOf, type PhpDraft } from '../words.ts'
import { isRight, PhpFields } from './PhpFields.tsx'

/** Changes many websites: the first one alone, the others only after it answers correctly. */
export default function ManyModal({ rows, close }: { rows: OriginVhost[]; close: () => void }) {
  const [draft, setDraft] = useState(draftOf({}))
  const [wait, setWait] = useState(false)
  const lacking = useReason()(originVhostsApi.modules)
  const { data } = useQuery({ ...originVhostsApi.modules.query(), enabled: !lacking })
  const form = useCallForm(originVhostsApi.phpOfMany, {
    initial: { phpModule: '', phpParameters: {} },
    fixed: { ids: rows.map(({ id }) => id), wait },
    labels: { phpModule: 'PHP' },
    onDone: ({ order }) => {
      void readAgain(['originVhosts', 'websites', 'workflows'])
      const others = counted(order.length - 1, ['other follows', 'others follow'])
      toast.info(
        `${order[0]} goes first`,
        wait ? `${others} when you say so: it waits among its workflows.` : `${others} when it answers.`,
      )
      close()
    },
  })
  const write = (next: PhpDraft) => {
    setDraft(next)
    // empty fields keep each website's own value
    form.set('phpParameters', Object.fromEntries(Object.entries(next).filter(([, text]) => text.trim() !== '')))
  }
  const module = form.field('phpModule')
  return (
    <FormModal
      opened
      close={close}
      title={`PHP of ${counted(rows.length, ['website', 'websites'])}`}
      save="Change PHP"
      form={{ ...form, valid: form.valid && form.dirty && isRight(draft) }}
      nothing="Nothing was changed."
      size={760}
    >
      <Select
        label="PHP"
        clearable
        placeholder="As each has it"
        data={(data?.items ?? []).map(({ name }) => name)}
        value={module.value || null}
        onChange={(name) => module.onChange(name ?? '')}
        error={module.error ?? form.refused.ids}
      />
      <PhpFields value={draft} onChange={write} refused={form.refused} />
      <Switch
        label="Wait after the first"
        description="The others stay unchanged until somebody resumes the workflow or rolls it back"
        checked={wait}
        onChange={(event) => setWait(event.currentTarget.checked)}
      />
      <Text c="dimmed" fz="xs">
        What is left empty stays as each has it. They are changed one after the other, server by server; if one fails,
        all of it is taken back.
      </Text>
    </FormModal>
  )
}
