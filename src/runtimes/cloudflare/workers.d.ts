// What this library uses of the module that workerd brings; a program has the types of @cloudflare/workers-types.
declare module 'cloudflare:workers' {
  export abstract class DurableObject<Env = unknown> {
    protected ctx: import('./storage.js').ObjectState
    protected env: Env
    constructor(ctx: import('./storage.js').ObjectState, env: Env)
  }
}
