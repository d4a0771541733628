import { Kbd } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useSession } from '../../kit/access/session.ts'
import { fitting } from '../../kit/form/fitting.ts'
import { nameOf } from '../../kit/frame/names.ts'
import { type Hit, searchStore } from '../../kit/frame/search.ts'
import { stated } from '../../stated.ts'
import type { ShownMenu } from '../menu/useMenu.ts'
import { useFrameTexts } from '../texts.ts'
import { usePageActs } from './pageActs.ts'
import { keepRecent, type Recent, readRecent, recentFirst } from './recent.ts'
import css from './SearchBox.module.css'
import { type OpenScreen, openScreens, screensFor } from './screens.ts'
import { isOpen, look, numberIn, sources } from './search.ts'
import { useEarlyLetters } from './useEarlyLetters.ts'

/** Ctrl-K search: recent items and screens at once, records of each kind as their calls answer. */
export function SearchBox({ menu }: { menu: ShownMenu }) {
  const words = useFrameTexts()
  const [query, setQuery] = useState('')
  useEarlyLetters(useCallback((letter: string) => setQuery((now) => now + letter), []))
  const typed = query.trim()
  const [settled] = useDebouncedValue(typed, 180)
  const { history } = useRouter()
  const user = useSession()
  const me = user.id
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
  // the answers to a former text stay only as far as they fit, so that a quick Enter opens nothing else
  const fitted = (hits: Hit[]) =>
    settled === typed ? hits : fitting(hits, typed, ({ label, description }) => `${label} ${description ?? ''}`)
  const recent = readRecent(localStorage, me).filter(({ group }) => open.some((source) => source.group === group))
  const all = useMemo(
    () =>
      openScreens(
        menu.all,
        stated().flatMap(({ screens }) => screens ?? []),
        user,
      ),
    [menu.all, user],
  )
  const screens = screensFor(all, typed)
  const acts = usePageActs()
  const here = acts.filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()))
  const { screens: SCREENS, here: HERE } = words
  const groups: { group: string; hits: Recent[] }[] = [
    { group: HERE, hits: here.map(({ label }) => ({ id: `act ${label}`, label, path: '', group: HERE })) },
    ...(typed ? [] : [{ group: words.lately, hits: recent }]),
    ...open.map(({ group }, n) => ({
      group,
      hits: typed ? recentFirst(fitted(found[n]?.data ?? []), recent).map((hit) => ({ ...hit, group })) : [],
    })),
    { group: SCREENS, hits: screens.slice(0, 9).map((one) => toHit(one, SCREENS)) },
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
      // from fields, too
      tagsToIgnore={[]}
      query={query}
      onQueryChange={setQuery}
      radius="lg"
      centered={false}
      yOffset="12vh"
      maxHeight={420}
      scrollable
      classNames={{ search: css.search, content: css.content, action: css.action, actionsGroup: css.group }}
      attributes={{ content: { 'aria-label': words.searchShort } }}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
    >
      <Spotlight.Search
        placeholder={[SCREENS, ...open.map(({ group }) => words.kinds(nameOf(group)))].join(', ')}
        leftSection={<IconSearch size={17} />}
        rightSection={<Kbd aria-hidden>Esc</Kbd>}
      />
      <Spotlight.ActionsList>
        {shown.map(({ group, hits }) => (
          <Spotlight.ActionsGroup key={group} label={nameOf(group)}>
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
        {shown.length === 0 && (
          <Spotlight.Empty>
            {isFetching ? words.looking : numberIn(typed) === undefined ? words.noName : words.noNumber}
          </Spotlight.Empty>
        )}
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

const toHit = ({ path, label, under }: OpenScreen, group: string): Recent => ({
  id: path,
  label,
  ...(under && { description: under }),
  path,
  group,
})
