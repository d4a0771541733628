import { Kbd } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSession } from '../../kit/access/session.ts'
import { searchStore } from '../../kit/frame/search.ts'
import type { Leaf } from '../../menuView.ts'
import type { ShownMenu } from '../menu/useMenu.ts'
import { usePageActs } from './pageActs.ts'
import { keepRecent, type Recent, readRecent, recentFirst } from './recent.ts'
import css from './SearchBox.module.css'
import { isOpen, look, numberIn, sources } from './search.ts'

const SCREENS = 'Screens'
const HERE = 'On this page'

/** Ctrl-K search: recent items and screens at once, records of each kind as their calls answer. */
export function SearchBox({ menu }: { menu: ShownMenu }) {
  const [query, setQuery] = useState('')
  const typed = query.trim()
  const [settled] = useDebouncedValue(typed, 180)
  const { history } = useRouter()
  const { id: me } = useSession()
  const open = sources.filter(isOpen)
  // one query per source, so that slow or failed ones do not hold up the others
  const found = useQueries({
    queries: open.map((source) => ({
      queryKey: ['search', source.group, settled],
      enabled: settled.length > 1,
      retry: false,
      queryFn: ({ signal }: { signal: AbortSignal }) => look(source, settled, signal),
    })),
  })
  const recent = readRecent(localStorage, me).filter(({ group }) => open.some((source) => source.group === group))
  const screens = menu.all.filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase()))
  const acts = usePageActs()
  const here = acts.filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()))
  const groups: { group: string; hits: Recent[] }[] = [
    { group: HERE, hits: here.map(({ label }) => ({ id: `act ${label}`, label, path: '', group: HERE })) },
    ...(typed ? [] : [{ group: 'Opened lately', hits: recent }]),
    ...open.map(({ group }, n) => ({
      group,
      hits: typed ? recentFirst(found[n]?.data ?? [], recent).map((hit) => ({ ...hit, group })) : [],
    })),
    { group: SCREENS, hits: screens.slice(0, 9).map(toHit) },
  ]
  const isFetching = settled !== typed || found.some((one) => one.isFetching)
  const go = (hit: Recent) => {
    if (hit.group === HERE) return acts.find(({ label }) => label === hit.label)?.run()
    if (hit.group !== SCREENS) keepRecent(localStorage, me, hit)
    history.push(hit.path)
  }
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
        placeholder={['Screens', ...open.map(({ group }) => group.toLowerCase())].join(', ')}
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
                onClick={() => go(hit)}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {shown.length === 0 && <Spotlight.Empty>{isFetching ? 'Looking…' : nothing(typed)}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

/** Keeps the first entry selected: later results change the list, and Enter would open nothing. */
function selectFirst(): void {
  const { listId } = searchStore.getState()
  const list = listId ? document.getElementById(listId) : null
  if (!list || list.querySelector('[data-selected]')) return
  list.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
  searchStore.updateState((state) => ({ ...state, selected: 0 }))
}

const toHit = ({ item: { path }, name }: Leaf): Recent => ({ id: path, label: name, path, group: SCREENS })

const nothing = (typed: string): string =>
  numberIn(typed) === undefined ? 'Nothing has this name' : 'Nothing that you may see has that number'
