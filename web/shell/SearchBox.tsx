import { Kbd } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Leaf } from '../menuView.ts'
import css from './SearchBox.module.css'
import { type Hit, searchStore, sources } from './search.ts'
import type { ShownMenu } from './useMenu.ts'

/** Ctrl-K: screens at once, things of the sources as they are found. */
export function SearchBox({ menu }: { menu: ShownMenu }) {
  const [query, setQuery] = useState('')
  const [settled] = useDebouncedValue(query.trim(), 180)
  const navigate = useNavigate()
  const found = useQuery({
    queryKey: ['search', settled],
    enabled: settled.length > 1 && sources.length > 0,
    queryFn: ({ signal }) => findAll(settled, signal),
  })
  const screens = menu.all.filter(({ name }) => name.toLowerCase().includes(query.trim().toLowerCase()))
  const groups = [...(found.data ?? []), { group: 'Screens', hits: screens.slice(0, 9).map(toHit) }]
  const shown = groups.filter(({ hits }) => hits.length)
  const first = shown[0]?.hits[0]?.id
  useEffect(() => {
    if (settled && first) selectFirst()
  }, [settled, first])
  return (
    <Spotlight.Root
      store={searchStore}
      shortcut="mod + K"
      query={query}
      onQueryChange={setQuery}
      radius="lg"
      centered={false}
      yOffset="12vh"
      maxHeight={420}
      scrollable
      classNames={{ search: css.search, content: css.content, action: css.action, actionsGroup: css.group }}
      attributes={{ content: { 'aria-label': 'Search' } }}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
    >
      <Spotlight.Search
        placeholder={sources.length ? 'Screens, domains, servers' : 'Screens'}
        leftSection={<IconSearch size={17} />}
        rightSection={<Kbd aria-hidden>Esc</Kbd>}
      />
      <Spotlight.ActionsList>
        {shown.map(({ group, hits }) => (
          <Spotlight.ActionsGroup key={group} label={group}>
            {hits.map((hit) => (
              <Spotlight.Action
                key={hit.id}
                label={hit.label}
                description={hit.description}
                data-mono={hit.mono || undefined}
                onClick={() => navigate({ to: hit.path })}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {shown.length === 0 && (
          <Spotlight.Empty>{found.isFetching ? 'Looking…' : 'Nothing is called that'}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

/** The box marks the first entry as one types; what is found later takes its place, and Enter would open nothing. */
function selectFirst(): void {
  const { listId } = searchStore.getState()
  const list = listId ? document.getElementById(listId) : null
  if (!list || list.querySelector('[data-selected]')) return
  list.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
  searchStore.updateState((state) => ({ ...state, selected: 0 }))
}

const toHit = ({ item, name }: Leaf): Hit => ({ id: item.path, label: name, path: item.path })

/** A source that fails is left out: the others are worth having. */
async function findAll(query: string, signal: AbortSignal): Promise<{ group: string; hits: Hit[] }[]> {
  const found = await Promise.allSettled(sources.map((source) => source.find(query, signal)))
  return found.flatMap((result, i) =>
    result.status === 'fulfilled' ? [{ group: sources[i]?.group ?? '', hits: result.value }] : [],
  )
}
