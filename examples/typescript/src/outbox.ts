// What waits to be sent on one stream.

export class Outbox<T> implements AsyncIterable<T> {
  #items: T[] = [];
  #wake = () => {};

  push(item: T): void {
    this.#items.push(item);
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      for (let item = this.#items.shift(); item !== undefined; item = this.#items.shift()) yield item;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
