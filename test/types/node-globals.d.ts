// `TextDecoder` as a type: Node's own types declare the value only.
interface TextDecoder extends InstanceType<typeof import('node:util').TextDecoder> {}

// Web Crypto's keys likewise.
type CryptoKey = import('node:crypto').webcrypto.CryptoKey
