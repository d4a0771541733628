/** A list call of the contract that supports search and reading by ids. */
export interface Finds {
  query(input: { search?: string; ids?: number[]; itemsPerPage: number }): {
    queryKey: readonly unknown[]
    queryFn: (context: {
      signal: AbortSignal
    }) => Promise<{ items: readonly { id: number; name: string }[]; total: number }>
  }
}

export interface Option {
  value: string
  label: string
}

export interface FilterChoice {
  /** Name of the filter in the list call. */
  key: string
  label: string
  /** Empty for a filter by typed text, see `typed`. With `call`, the options whose names are already known. */
  options: readonly Option[]
  typed?: 'text' | 'moment' | 'day'
  /** The list call that searches the options, for filters with too many options to show. */
  call?: Finds
  /** The call takes one value: a new choice replaces the former one. */
  single?: boolean
}
