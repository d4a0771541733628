/** A self-signed certificate for other.example, valid until 2125, with its key, for these tests only. */
export const chain = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBxDCCAWmgAwIBAgIQCDwjxANok5s0NuFQTOuASDAKBggqhkjOPQQDAjA6MSAw',
  'HgYDVQQKExdJbm5rZWVwZXIgKHNlbGYtc2lnbmVkKTEWMBQGA1UEAxMNb3RoZXIu',
  'ZXhhbXBsZTAgFw0yNTEyMzEyMzAwMDBaGA8yMTI1MTIwODAwMDAwMFowOjEgMB4G',
  'A1UEChMXSW5ua2VlcGVyIChzZWxmLXNpZ25lZCkxFjAUBgNVBAMTDW90aGVyLmV4',
  'YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARFYPr3TRTFiXOMGAaduHNl',
  '5/or5OxxlgPo3dh3lj6bw7kvuCX/08ETvPmZ/YFSCUuMzV3kGYOiGLeN4GW2X2eE',
  'o08wTTAMBgNVHRMBAf8EAjAAMA4GA1UdDwEB/wQEAwIHgDATBgNVHSUEDDAKBggr',
  'BgEFBQcDATAYBgNVHREEETAPgg1vdGhlci5leGFtcGxlMAoGCCqGSM49BAMCA0kA',
  'MEYCIQDTt9jBwqA6FwE0NKpdzXC3oODRnqMeWoF+SRcm/DLGSAIhAJk2+qp9kMZT',
  '5fm+ZlqLOAmcQZVNfR2DzLfhXHitjLUj',
  '-----END CERTIFICATE-----',
  '',
].join('\n')
export const privateKey = [
  '-----BEGIN PRIVATE KEY-----',
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQglTCgFGH35PchA8Vk',
  'gCReSTFAaNbbedMzYXTcJ9CAf8uhRANCAARFYPr3TRTFiXOMGAaduHNl5/or5Oxx',
  'lgPo3dh3lj6bw7kvuCX/08ETvPmZ/YFSCUuMzV3kGYOiGLeN4GW2X2eE',
  '-----END PRIVATE KEY-----',
  '',
].join('\n')
