import { Button, CloseButton, Menu, Popover, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconFilter2Plus, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { writeDay } from '../form/dates.ts'
import { later } from '../frame/later.tsx'
import { moment } from '../look/format.ts'
import { kitWords } from '../look/texts.ts'
import css from './FilterBar.module.css'
import { FilterFound, useNames } from './FilterFound.tsx'
import { FilterOptions, FilterTyped } from './FilterOptions.tsx'
import type { FilterChoice, Finds } from './filterChoice.ts'
import type { Filters } from './listState.ts'
import { listTexts } from './texts.ts'
import { unnamed } from './unnamed.ts'

/** The part of a list that filters change. */
export interface Filterable {
  filters: Filters
  setFilters: (filters: Filters) => void
  setFilter: (key: string, values: readonly string[]) => void
}
interface Props {
  list: Filterable
  search?: { key: string; placeholder: string }
  filters: readonly FilterChoice[]
  /** Filters that the screen shows in another way. */
  elsewhere?: readonly string[]
  right?: ReactNode
}

/** The search field, a chip per active filter, and the "Filter" button. The URL holds the same filters. */
export const FilterBar = later(function Bar({ list, search, filters: offered, elsewhere = [], right }: Props) {
  const [opened, setOpened] = useState<string>()
  const others = search ? [search.key, ...elsewhere] : elsewhere
  const filters = [...offered, ...unnamed(list.filters, offered, others)]
  const isSet = ({ key }: FilterChoice) => key === opened || (list.filters[key]?.length ?? 0) > 0
  const shown = filters.filter(isSet)
  const rest = filters.filter((choice) => !isSet(choice))
  const clear = () => list.setFilters(search ? { [search.key]: list.filters[search.key] ?? [] } : {})
  return (
    <search className={css.bar}>
      <div className={css.left}>
        {search && <SearchField list={list} placeholder={search.placeholder} name={search.key} />}
        {shown.map((choice) => (
          <Chip
            key={choice.key}
            choice={choice}
            list={list}
            opened={choice.key === opened}
            setOpened={(now) => setOpened(now ? choice.key : undefined)}
          />
        ))}
        {rest.length > 0 && (
          <Menu position="bottom-start">
            <Menu.Target>
              <Button
                variant="subtle"
                color="secondary"
                size="xs"
                h="max(28px, var(--ink-small))"
                leftSection={<IconFilter2Plus size={15} aria-hidden />}
              >
                {listTexts().filter}
              </Button>
            </Menu.Target>
            <Menu.Dropdown miw={170}>
              {rest.map((choice) =>
                isLong(choice) ? (
                  <Menu.Item key={choice.key} onClick={() => setOpened(choice.key)}>
                    {choice.label}…
                  </Menu.Item>
                ) : (
                  <Menu.Sub key={choice.key}>
                    <Menu.Sub.Target>
                      <Menu.Sub.Item>{choice.label}</Menu.Sub.Item>
                    </Menu.Sub.Target>
                    <Menu.Sub.Dropdown mah={320} style={{ overflowY: 'auto' }}>
                      {choice.options.map(({ value, label }) => (
                        <Menu.Item
                          key={value}
                          onClick={() => list.setFilters({ ...list.filters, [choice.key]: [value] })}
                        >
                          {label}
                        </Menu.Item>
                      ))}
                    </Menu.Sub.Dropdown>
                  </Menu.Sub>
                ),
              )}
            </Menu.Dropdown>
          </Menu>
        )}
        {shown.length > 0 && (
          <Button variant="subtle" color="secondary" size="xs" h="max(28px, var(--ink-small))" onClick={clear}>
            {kitWords().clear}
          </Button>
        )}
      </div>
      {right && <div className={css.right}>{right}</div>}
    </search>
  )
})

/** Filters by typed text, and filters whose options are searched, do not fit into a menu. */
const isLong = ({ options, typed, call }: FilterChoice) =>
  typed !== undefined || call !== undefined || options.length > 12

interface ChipProps {
  choice: FilterChoice
  list: Filterable
  opened: boolean
  setOpened: (opened: boolean) => void
}

/** "Status active, suspended": opens the choice; × removes it. */
function Chip({ choice, list, opened, setOpened }: ChipProps) {
  const values = list.filters[choice.key] ?? []
  const choose = (next: string[]) => list.setFilters({ ...list.filters, [choice.key]: next })
  return (
    <Popover position="bottom-start" trapFocus opened={opened} onChange={setOpened}>
      <div className={css.chip}>
        <Popover.Target>
          <UnstyledButton className={css.words} onClick={() => setOpened(!opened)}>
            {choice.label}{' '}
            <b>
              {choice.call ? <Names call={choice.call} choice={choice} values={values} /> : wordsOf(choice, values)}
            </b>
          </UnstyledButton>
        </Popover.Target>
        <CloseButton
          size="max(24px, calc(var(--ink-small) - 2px))"
          iconSize={13}
          c="inherit"
          aria-label={listTexts().removeFilter(choice.label)}
          onClick={() => {
            setOpened(false)
            if (values.length) choose([])
          }}
        />
      </div>
      <Popover.Dropdown p={4} miw={180} mah={320} style={{ overflowY: 'auto' }}>
        {choice.typed ? (
          <FilterTyped
            choice={choice}
            value={values.join(',')}
            choose={(text) => {
              choose(text ? [text] : [])
              setOpened(false)
            }}
          />
        ) : choice.call ? (
          <FilterFound call={choice.call} choice={choice} values={values} choose={choose} />
        ) : (
          <FilterOptions choice={choice} values={values} choose={choose} />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

const wordsOf = ({ options, typed }: FilterChoice, values: readonly string[]): string =>
  values
    .map((value) => {
      if (typed === 'moment') return Number.isNaN(Date.parse(value)) ? value : moment(value)
      if (typed === 'day') return writeDay(value)
      return options.find((option) => option.value === value)?.label ?? value
    })
    .join(', ')

const Names = ({ call, choice, values }: { call: Finds; choice: FilterChoice; values: readonly string[] }) =>
  wordsOf({ ...choice, options: useNames(call, choice, values) }, values)

function SearchField({ list, name, placeholder }: { list: Filterable; name: string; placeholder: string }) {
  const inAddress = list.filters[name]?.join(',') ?? ''
  const [typed, setTyped] = useState(inAddress)
  const settle = useDebouncedCallback((text: string) => list.setFilter(name, text.trim() ? [text.trim()] : []), 250)
  // the address changed under the field: back, a saved view, Clear
  useEffect(() => setTyped((now) => (now.trim() === inAddress ? now : inAddress)), [inAddress])
  const change = (text: string) => {
    setTyped(text)
    settle(text)
  }
  return (
    <TextInput
      className={css.search}
      type="search"
      aria-label={placeholder}
      placeholder={placeholder}
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      leftSection={<IconSearch size={15} />}
    />
  )
}
