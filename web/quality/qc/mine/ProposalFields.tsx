import type { OwnReview } from '@innkeeper/contract/quality/qc/mine'
import { Select, SimpleGrid } from '@mantine/core'

export interface Proposal {
  agentId?: number
  scores?: { scoreTypeId: number; gradeId: number | null }[]
}
export const isProposal = ({ agentId, scores }: Proposal): boolean => agentId !== undefined || Boolean(scores?.length)

const NA = 'na'

interface Props {
  review: OwnReview
  value: Proposal
  onChange: (proposal: Proposal) => void
}

/** What a dispute asks for: another person, or other grades. Nothing chosen: the reviewer decides what changes. */
export function ProposalFields({ review: { rubric, scores, writers }, value, onChange }: Props) {
  const without = (typeId: number) => (value.scores ?? []).filter(({ scoreTypeId }) => scoreTypeId !== typeId)
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {writers.length > 0 && (
        <Select
          label="It was somebody else"
          placeholder="No, it was me"
          clearable
          data={writers.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={value.agentId === undefined ? null : String(value.agentId)}
          onChange={(next) => {
            const { agentId: _, ...rest } = value
            onChange(next === null ? rest : { ...rest, agentId: Number(next) })
          }}
        />
      )}
      {rubric.map(({ id, name, grades, mayBeNA }) => {
        const given = scores.find(({ typeId }) => typeId === id)
        const proposed = value.scores?.find(({ scoreTypeId }) => scoreTypeId === id)
        return (
          <Select
            key={id}
            label={name}
            placeholder={`Stays ${given?.gradeName ?? 'N/A'}`}
            clearable
            data={[
              ...grades.map((grade) => ({ value: String(grade.id), label: `${grade.name} ${grade.value}` })),
              ...(mayBeNA ? [{ value: NA, label: 'N/A' }] : []),
            ]}
            value={proposed ? String(proposed.gradeId ?? NA) : null}
            onChange={(next) =>
              onChange({
                ...value,
                scores:
                  next === null
                    ? without(id)
                    : [...without(id), { scoreTypeId: id, gradeId: next === NA ? null : Number(next) }],
              })
            }
          />
        )
      })}
    </SimpleGrid>
  )
}
