/** Caches one value per key. When the total weight exceeds `most`, the cache is cleared. */
export function remember<T>(most: number, weigh: (made: T) => number = () => 1): (key: string, make: () => T) => T {
  const known = new Map<string, T>()
  let weight = 0
  return (key, make) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make()
    const more = weigh(made)
    if (weight + more > most) {
      known.clear()
      weight = 0
    }
    weight += more
    known.set(key, made)
    return made
  }
}
