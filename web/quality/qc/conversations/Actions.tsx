import type { ConversationPage } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { priorities } from '@innkeeper/contract/quality/qc/values'
import { Button, Group, Menu, Select, Stack, Textarea, TextInput } from '@mantine/core'
import {
  IconAlertTriangle,
  IconListCheck,
  IconMessageReport,
  IconScale,
  IconTag,
  IconTrash,
  IconUserShare,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt, succeeds } from '../../../kit/api/attempt.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { PageMenu } from '../../../kit/frame/PageMenu.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { apiOf, qcCalibrationsApi } from '../api.ts'
import AgentsField from '../reviews/AgentsField.tsx'
import TagsField from '../reviews/TagsField.tsx'
import { priorityOptions } from '../words.ts'

interface Props {
  page: ConversationPage
  kind: Kind
}
type Act = 'tags' | 'escalate' | 'feedback' | 'assign' | 'calibrate'

/** Actions on a conversation besides its review. */
export default function Actions({ page, kind }: Props) {
  const lacking = useReason()
  const api = apiOf(kind)
  const [act, setAct] = useState<Act>()
  const enqueue = async () => {
    const done = await attempt(() => api.enqueue({ id: page.id }), ['qc'])
    if (done) toast.success('In the queue')
  }
  return (
    <>
      <PageMenu>
        <MenuAction
          label="Tags…"
          icon={<IconTag size={15} />}
          reason={lacking(api.tag)}
          onClick={() => setAct('tags')}
        />
        <MenuAction
          label="Escalate…"
          icon={<IconAlertTriangle size={15} />}
          reason={lacking(api.escalate)}
          onClick={() => setAct('escalate')}
        />
        <MenuAction
          label="Give feedback…"
          icon={<IconMessageReport size={15} />}
          reason={lacking(api.giveFeedback)}
          onClick={() => setAct('feedback')}
        />
        <Menu.Divider />
        {page.status === 'queued' ? (
          <MenuAction
            label="Assign review…"
            icon={<IconUserShare size={15} />}
            reason={lacking(api.assign)}
            onClick={() => setAct('assign')}
          />
        ) : (
          <MenuAction
            label="Put into queue"
            icon={<IconListCheck size={15} />}
            reason={lacking(api.enqueue) ?? (page.status === 'reviewed' ? 'Reviewed already' : undefined)}
            onClick={() => void enqueue()}
          />
        )}
        <MenuAction
          label="Calibrate…"
          icon={<IconScale size={15} />}
          reason={lacking(qcCalibrationsApi.createCalibration)}
          onClick={() => setAct('calibrate')}
        />
        {page.reviews.map((review) => (
          <MenuAction
            key={review.id}
            label={`Delete review of ${review.agent.name}…`}
            danger
            icon={<IconTrash size={15} />}
            reason={lacking(api.removeReview)}
            onClick={() => void removeReview(api, review)}
          />
        ))}
      </PageMenu>
      {act && <ActModal key={act} act={act} page={page} kind={kind} close={() => setAct(undefined)} />}
    </>
  )
}

async function removeReview(
  api: ReturnType<typeof apiOf>,
  { id, version, agent }: ConversationPage['reviews'][number],
) {
  const sure = await confirm({
    title: `Delete the review of ${agent.name}?`,
    text: 'Its score is removed from the statistics. Without another review, the conversation returns to the list that it came from. The review can be restored on this page.',
    verb: 'Delete review',
    danger: true,
  })
  if (sure && (await succeeds(() => api.removeReview({ id, version }), ['qc']))) toast.success('The review is deleted')
}

const titles = {
  tags: 'Tags',
  escalate: 'Escalate',
  feedback: 'Give feedback',
  assign: 'Assign review',
  calibrate: 'Hold a calibration',
} as const
const verbs = {
  tags: 'Save tags',
  escalate: 'Escalate',
  feedback: 'Send feedback',
  assign: 'Assign review',
  calibrate: 'Invite people',
} as const

function ActModal({ act, page, kind, close }: Props & { act: Act; close: () => void }) {
  const api = apiOf(kind)
  const [tags, setTags] = useState(page.tags.map(({ id }) => id))
  const [text, setText] = useState('')
  const [more, setMore] = useState('')
  const [priority, setPriority] = useState<(typeof priorities)[number]>('medium')
  const [people, setPeople] = useState<{ id: number; name: string }[]>(
    page.assignee && act === 'assign' ? [page.assignee] : [],
  )
  const target = kind === 'chat' ? { chatId: page.id } : { ticketId: page.id }
  const unwritten = text.trim() ? undefined : 'Write the text first.'
  const lack = {
    tags: undefined,
    escalate: unwritten,
    feedback: unwritten,
    assign: people.length > 1 ? 'Choose one person.' : undefined,
    calibrate: unwritten ?? (people.length > 1 ? undefined : 'Choose two people or more.'),
  }[act]
  const send = (): Promise<unknown> => {
    switch (act) {
      case 'tags':
        return api.tag({ id: page.id, tags })
      case 'escalate':
        return api.escalate({ ...target, escalationDTO: { reason: text, description: more, priority } })
      case 'feedback':
        return api.giveFeedback({ ...target, feedback: text })
      case 'assign': {
        const reason = text.trim()
        return api.assign({
          id: page.id,
          assigneeId: people[0]?.id ?? null,
          ...(reason && { reason }),
          version: page.version,
        })
      }
      case 'calibrate':
        return qcCalibrationsApi.createCalibration({
          ...{ conversationId: page.id, title: text, participants: people.map(({ id }) => id) },
        })
    }
  }
  const save = async () => {
    if (!(await succeeds(send, ['qc']))) return
    toast.success('Saved')
    close()
  }
  return (
    <Dialog opened onClose={close} title={titles[act]}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!lack) void save()
        }}
      >
        <Stack gap={14}>
          {act === 'tags' && <TagsField kind={kind} value={tags} onChange={setTags} />}
          {(act === 'assign' || act === 'calibrate') && (
            <AgentsField
              label={act === 'assign' ? 'Reviewer (empty: nobody)' : 'People who review it blind'}
              wrote={[]}
              value={people}
              onChange={setPeople}
            />
          )}
          {act === 'feedback' ? (
            <Textarea
              label="Feedback"
              required
              autosize
              minRows={3}
              dir="auto"
              data-autofocus
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          ) : (
            act !== 'tags' && (
              <TextInput
                label={act === 'calibrate' ? 'Title' : 'Reason'}
                required={act !== 'assign'}
                dir="auto"
                data-autofocus={act === 'escalate' || undefined}
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
              />
            )
          )}
          {act === 'escalate' && (
            <>
              <Select
                label="Priority"
                allowDeselect={false}
                data={priorityOptions}
                value={priority}
                onChange={(next) => setPriority(priorities.find((one) => one === next) ?? 'medium')}
              />
              <Textarea
                label="Description"
                autosize
                minRows={3}
                dir="auto"
                value={more}
                onChange={(event) => setMore(event.currentTarget.value)}
              />
            </>
          )}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <ActButton type="submit" reason={lack}>
              {verbs[act]}
            </ActButton>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
