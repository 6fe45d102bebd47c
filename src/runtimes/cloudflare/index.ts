// `agidb/cloudflare`: a memory in a Durable Object.
export type * from '../../api/public.js'
export { AgidbError, type ErrorCode, type ErrorDetails } from '../../base/errors.js'
export { type Bucket, type BucketPart, type BucketUpload, exportToBucket, importFromBucket } from './bucket.js'
export { AgidbObject, type ObjectOptions, type RemoteMethods } from './object.js'
export { remoteError } from './remote-error.js'
export { durableObjectStorage, type ObjectPlaces, type ObjectState, type ObjectStorage } from './storage.js'
export type { MediaBucket, MediaListing } from '../../storage/media/media-bucket.js'
