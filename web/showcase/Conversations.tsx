import { Button, SegmentedControl } from '@mantine/core'
import { useMemo, useRef, useState } from 'react'
import { Composer } from '../kit/conversation/Composer.tsx'
import { Conversation, type ConversationHandle } from '../kit/conversation/Conversation.tsx'
import type { SearchPeople } from '../kit/conversation/useMentions.ts'
import { toast } from '../kit/dialogs/toast.ts'
import { Section } from '../kit/frame/Section.tsx'
import { messages } from './messages.ts'
import css from './Pieces.module.css'

const evidenceOf = new Map([['3', ['Diagnosis']]])

const staff = ['Ada Berg', 'Erik Lindqvist', 'Ingrid Solberg', 'Jonas Vestergaard', 'Åse Nordmann']
const search: SearchPeople = async (words) =>
  staff.flatMap((name, id) =>
    name.toLowerCase().includes(words.toLowerCase()) ? [{ id, name, hint: id % 2 ? 'Support' : 'Operations' }] : [],
  )

/** A conversation of 4,000 messages with marks, and its composer. */
export function Conversations() {
  const many = useMemo(() => messages(4000), [])
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set(['2']))
  const [kind, setKind] = useState('answer')
  const chat = useRef<ConversationHandle>(null)
  return (
    <Section
      title="Conversation"
      hint="4,000 messages"
      pad={false}
      aside={
        <Button size="xs" variant="default" onClick={() => chat.current?.show('2500')}>
          Show message 2,500
        </Button>
      }
    >
      <div className={css.tall}>
        <Conversation
          ref={chat}
          label="Chat 58213"
          messages={many}
          marks={evidenceOf}
          marking={{
            label: 'evidence for Solution',
            marked,
            onToggle: (id) => setMarked(new Set([id]).symmetricDifference(marked)),
          }}
        />
        <div>
          <SegmentedControl
            ml="var(--ink-gutter)"
            aria-label="What is written"
            data={[
              { value: 'answer', label: 'Answer' },
              { value: 'note', label: 'Internal note' },
            ]}
            value={kind}
            onChange={setKind}
          />
          <Composer
            key={kind}
            label={kind === 'note' ? 'Internal note' : 'Answer to Mari Tveit'}
            placeholder="Write to Mari Tveit"
            draftName={`kit.${kind}`}
            search={search}
            isNote={kind === 'note'}
            onSend={async ({ text, mentions, files }) =>
              toast.success('Sent', `${text} · mentions ${mentions.join(', ') || 'nobody'} · ${files.length} files`)
            }
          />
        </div>
      </div>
    </Section>
  )
}
