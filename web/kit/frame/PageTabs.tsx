import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'

type Show = (tab: string | null) => void

/** The tabs of a page, in the order of their titles. They scroll on a phone. For `tabs` of Screen. */
export const PageTabs = ({ of, at, show }: { of: Readonly<Record<string, string>>; at: string; show: Show }) => (
  <Tabs value={at} onChange={show}>
    <Tabs.List style={{ flexWrap: 'nowrap' }}>
      {Object.entries(of).map(([tab, title]) => (
        <Tabs.Tab key={tab} value={tab}>
          {title}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  </Tabs>
)

/**
 * The tab that `?tab=` names, or else the first, and the function that shows another tab. A change of tab adds no entry
 * to the history.
 */
export function useTab<T extends string>(of: Readonly<Record<T, string>>): [T, Show] {
  const { tab } = useSearch({ strict: false })
  const navigate = useNavigate()
  const all = Object.keys(of) as T[] // keys of a constant
  const first = all[0]!
  const show = (next: string | null) =>
    void navigate({ to: '.', search: next && next !== first ? { tab: next } : {}, replace: true })
  return [all.find((one) => one === tab) ?? first, show]
}
