import type { Plan } from '@innkeeper/contract/hosting/plans'
import { Group, Radio, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { plansApi } from './api.ts'
import { figures, headings, inWords } from './limits.ts'
import css from './PlanTable.module.css'

interface Props {
  /** The plan's id as text, for radio inputs; empty if none is chosen. */
  value: string
  onChange: (id: string) => void
  error?: ReactNode
}

/** All plans by size. All forms share one cached answer. */
export const usePlans = () => useQuery(plansApi.list.query({ sort: 'diskMb', direction: 'ASC', itemsPerPage: 100 }))

/** A table of plans with a radio input per row. */
export function PlanTable({ value, onChange, error }: Props) {
  const { data, error: failed } = usePlans()
  const plans = data?.items ?? []
  return (
    <Radio.Group
      label="Plan"
      withAsterisk
      value={value}
      onChange={onChange}
      error={error ?? (failed && `The plans could not be read. ${failed.message}`)}
    >
      <div className={css.plans} data-error={error ? true : undefined}>
        <div className={`${css.plan} ${css.head}`} aria-hidden>
          <span />
          {headings.map((heading) => (
            <span key={heading}>{heading}</span>
          ))}
        </div>
        {plans.map((plan) => (
          <PlanRow key={plan.id} plan={plan} />
        ))}
        {!data &&
          [1, 2, 3].map((n) => (
            <div key={n} className={css.plan}>
              <Skeleton height={10} width={110} animate={false} />
            </div>
          ))}
        {data && plans.length === 0 && (
          <Text c="dimmed" p={12}>
            There is no plan yet.
          </Text>
        )}
      </div>
    </Radio.Group>
  )
}

const PlanRow = ({ plan }: { plan: Plan }) => (
  <Radio.Card value={String(plan.id)} className={css.plan} aria-label={`${plan.name}: ${inWords(plan)}`}>
    <Group gap={9} wrap="nowrap">
      <Radio.Indicator size="xs" />
      <Text fw={500} truncate>
        {plan.name}
      </Text>
    </Group>
    {figures(plan).map((figure, i) => (
      <Text key={headings[i]} span c="dimmed" className="num">
        {figure}
      </Text>
    ))}
  </Radio.Card>
)
