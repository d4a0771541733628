import { useQuery } from '@tanstack/react-query'
import { practiceApi } from './api.ts'
import { websiteAddress } from './websiteAddress.ts'

/** Returns a function from domain to browser address. Returns the plain domain until the practice state is loaded. */
export function useWebsiteAddress(): (domain: string) => string {
  const { data } = useQuery(practiceApi.practice.query())
  return (domain) => websiteAddress(domain, data)
}
