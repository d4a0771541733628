import * as z from 'zod'
import { del, filter, get, line, listQuery, pageOf, patch, post, stored, version } from '../../kit/endpoint.ts'
import { talkKind } from './values.ts'

export const TalkTemplate = z.object({
  ...stored,
  name: z.string(),
  kind: talkKind,
  questions: z.array(z.string()),
  /** Whether people who plan a talk may choose the template. */
  isActive: z.boolean(),
})
export type TalkTemplate = z.output<typeof TalkTemplate>

/** Questions of a talk, one on each line of a form. */
export const questions = z.array(line(300)).min(1).max(30)

const base = '/dossier-controller/talk-templates'
const fields = { name: line(60), kind: talkKind, questions, isActive: z.boolean().optional() }

/** Templates of questions for talks. A talk copies its questions, so later changes of a template do not reach it. */
export const talkTemplateCalls = {
  talkTemplates: get(base, 'dossier:feedback:create', {
    summary: 'Templates of questions for talks',
    query: {
      ...listQuery(['name', 'createdAt'], 50),
      search: filter(z.string().trim().max(60)),
      kind: filter(talkKind),
      isActive: filter(z.enum(['true', 'false'])),
    },
    returns: pageOf(TalkTemplate),
  }),
  createTalkTemplate: post(base, 'dossier:feedback-type:create', {
    summary: 'Create a template of questions for talks',
    body: fields,
    returns: TalkTemplate,
  }),
  updateTalkTemplate: patch(`${base}/:id`, 'dossier:feedback-type:update', {
    summary: 'Change a template of questions for talks',
    body: {
      name: fields.name.optional(),
      kind: talkKind.optional(),
      questions: questions.optional(),
      isActive: fields.isActive,
      version,
    },
    returns: TalkTemplate,
  }),
  removeTalkTemplate: del(`${base}/:id`, 'dossier:feedback-type:delete', {
    summary: 'Delete a template of questions for talks. Planned talks keep their questions',
    body: { version },
    status: 204,
  }),
}
