interface Address {
  pathname: string
  search: object
}

/** What a screen is about: its path, and the search parameters of `about`. Other parameters sort, filter or show a part. */
export function subjectOf({ pathname, search }: Address, about: readonly string[] = []): string {
  const values: Readonly<Record<string, unknown>> = { ...search }
  return JSON.stringify([pathname, ...about.map((key) => values[key] ?? '')])
}
