import { Combobox, Loader, Text, UnstyledButton, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSession } from '../../kit/access/session.ts'
import { nameOf } from '../../kit/frame/names.ts'
import type { Source } from '../../kit/frame/search.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { keepRecent, readRecent, recentFirst } from '../search/recent.ts'
import { useFrameTexts } from '../texts.ts'
import css from './Header.module.css'

interface Props {
  source: Source
  /** Name of the open object. */
  label: string
  mono?: boolean | undefined
}

/** The last crumb of an object's page: a menu with a search leads to the same page of another object. */
export function CrumbSwitch({ source, label, mono }: Props) {
  const box = useCombobox({
    onDropdownClose: () => box.resetSelectedOption(),
    onDropdownOpen: () => box.focusSearchInput(),
  })
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search.trim(), 180)
  const { history } = useRouter()
  const { id: me } = useSession()
  const words = useFrameTexts()
  const { data, isFetching, error } = useQuery({
    queryKey: ['switch', source.group, settled],
    enabled: box.dropdownOpened,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => source.find(settled, signal),
  })
  const recent = readRecent(localStorage, me).filter(({ group }) => group === source.group)
  const hits = (settled ? recentFirst(data ?? [], recent) : distinct([...recent, ...(data ?? [])])).filter(
    (hit) => hit.label !== label,
  )
  const { selectFirstOption } = box
  // Enter opens the first hit
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hits come later than the letters
  useEffect(() => {
    if (settled && data) selectFirstOption()
  }, [settled, data])
  const go = (path: string) => {
    const hit = hits.find((one) => one.path === path)
    box.closeDropdown()
    if (!hit) return
    keepRecent(localStorage, me, { ...hit, group: source.group })
    history.push(hit.path)
  }
  const nothing = error?.message ?? (isFetching ? words.looking : words.noOther)
  return (
    <Combobox store={box} width={300} position="bottom-start" onOptionSubmit={go}>
      <Combobox.Target targetType="button" withAriaAttributes={false}>
        <UnstyledButton
          className={css.switch}
          aria-current="page"
          aria-haspopup="listbox"
          aria-expanded={box.dropdownOpened}
          title={words.switchTo(nameOf(source.group))}
          onClick={() => box.toggleDropdown()}
        >
          <Text span truncate ff={mono ? 'monospace' : undefined}>
            {label}
          </Text>
          <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          aria-label={words.searchKind(nameOf(source.group))}
          placeholder={words.searchKind(nameOf(source.group))}
          value={search}
          rightSection={isFetching ? <Loader size={14} /> : undefined}
          onChange={(event) => {
            setSearch(event.currentTarget.value)
          }}
        />
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }}>
          {hits.map((hit) => (
            <Combobox.Option key={hit.id} value={hit.path}>
              {hit.mono ? (
                <Mono display="block" truncate>
                  {hit.label}
                </Mono>
              ) : (
                hit.label
              )}
              {hit.description && (
                <Text c="dimmed" fz="xs" truncate>
                  {hit.description}
                </Text>
              )}
            </Combobox.Option>
          ))}
          {hits.length === 0 && <Combobox.Empty>{nothing}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

const distinct = <H extends { id: string }>(hits: readonly H[]): H[] => [
  ...new Map(hits.map((hit) => [hit.id, hit])).values(),
]
