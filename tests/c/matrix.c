/* Products of small matrices: the identity changes nothing. */
#include <assert.h>

extern signed char __VERIFIER_nondet_char(void);

#define N 3

static void multiply(int a[N][N], int b[N][N], int c[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int sum = 0;
      for (int k = 0; k < N; k++)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
}

static int trace(int m[N][N]) {
  int total = 0;
  for (int i = 0; i < N; i++)
    total += m[i][i];
  return total;
}

int main(void) {
  int one[N][N] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  int m[N][N], product[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      m[i][j] = __VERIFIER_nondet_char();
  multiply(m, one, product);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      assert(product[i][j] == m[i][j]);
  assert(trace(product) == m[0][0] + m[1][1] + m[2][2]);
  return 0;
}
