/* Vector table and reset handler. The emulator loads the image, so that initialised data needs no copying, and
 * its memory is zero. */
#include <stdint.h>

extern int main(void);
extern uint32_t stack_top;

void reset_handler(void) {
  *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20; /* CPACR: floating point and MVE on */
  __asm volatile("dsb\n isb");
  (void)main();
  for (;;) {
  }
}

static void fault_handler(void) {
  for (;;) {
  }
}

typedef void (*handler_t)(void);
__attribute__((section(".vectors"), used)) static const handler_t vectors[16] = {
    (handler_t)(uintptr_t)&stack_top, reset_handler, fault_handler, fault_handler, fault_handler, fault_handler,
    fault_handler,                    fault_handler, 0,             0,             0,             fault_handler,
    fault_handler,                    0,             fault_handler, fault_handler};
